import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { sqlName } from '../values/database-names.js';
import { firewallRule } from '../values/firewall-rule.js';

const name = z.string();
const application = z.string();
const none = z.object({});

/** Stable addresses, each the gateway to the databases of a server. */
export const aliases = defineResource('aliases', {
  /** Keeps an address for the name. It takes no connections before it is pointed somewhere. */
  reserve: {
    input: z.object({ name }),
    output: z.object({ host: z.string(), port: z.number().int() }),
    summary: 'reserve an address for {name}',
  },
  /** Leads all who ask for a database without a route of its own to an instance. */
  point: {
    input: z.object({ name, application }),
    output: z.object({ host: z.string(), port: z.number().int() }),
    summary: 'point the alias {name} at {application}',
  },
  /** Whether it listens at its address: another program may have taken that while nobody did. */
  inspect: { input: z.object({ name }), output: z.object({ bound: z.boolean() }), summary: 'inspect the alias {name}' },
  /** Leads all who ask for one database to an instance of its own. */
  route: {
    input: z.object({ name, database: sqlName, application }),
    output: none,
    summary: 'lead {database} of {name} to {application}',
  },
  /** Leads nobody to an instance any more who asks for a database. */
  unroute: { input: z.object({ name, application }), output: none, summary: 'lead nobody of {name} to {application}' },
  /** The addresses that may connect, in place of those before; whoever else is connected is cut off. */
  protect: {
    input: z.object({ name, rules: z.array(firewallRule) }),
    output: none,
    summary: 'set the firewall rules of {name}',
  },
  remove: { input: z.object({ name }), output: none, summary: 'remove the alias {name}' },
});
