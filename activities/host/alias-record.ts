import { z } from 'zod';
import { firewallRule } from '../values/firewall-rule.js';

/** What is known of an alias: where it listens, where it leads, and whom it admits. */
export const aliasRecord = z.object({
  port: z.number().int(),
  /** The instance of all databases that have no route. Without it, nothing listens. */
  application: z.string().optional(),
  /** The instances of single databases, by the names of these. */
  routes: z.record(z.string(), z.string()).default({}),
  rules: z.array(firewallRule).default([]),
});

export type AliasRecord = z.output<typeof aliasRecord>;

/** The instance to which a client is led that asks for a database. */
export function routeOf({ application, routes }: AliasRecord, database: string | undefined): string | undefined {
  return (database !== undefined && Object.hasOwn(routes, database) ? routes[database] : undefined) ?? application;
}
