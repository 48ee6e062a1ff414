import { z } from 'zod';
import { firewallRule } from '../values/firewall-rule.js';

/** All that the host knows of an alias: where it listens, where it leads, and whom it admits. */
export const aliasRecord = z.object({
  port: z.number().int(),
  /** The instance of all databases that have no route. Without it, the alias does not listen. */
  application: z.string().optional(),
  /** The instances of single databases, by the names of the databases. */
  routes: z.record(z.string(), z.string()).default({}),
  rules: z.array(firewallRule).default([]),
});

export type AliasRecord = z.output<typeof aliasRecord>;

/** The instance to which a client is led, by the database that the client asks for. */
export function routeOf({ application, routes }: AliasRecord, database: string | undefined): string | undefined {
  return (database !== undefined && Object.hasOwn(routes, database) ? routes[database] : undefined) ?? application;
}
