import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';
import { sqlName } from '../values/database-names.js';
import { firewallRule } from '../values/firewall-rule.js';

const name = z.string();
const application = z.string();
const none = z.object({});

/** Stable addresses. Each is the gateway to the databases of a server. */
export const aliases = defineResource(
  'aliases',
  resumedByHost({
    /** Keeps an address for the name. It takes no connections before it is pointed somewhere. */
    reserve: {
      input: z.object({ name }),
      output: z.object({ host: z.string(), port: z.number().int() }),
      summary: 'reserve an address for {name}',
    },
    /** Leads clients to an instance, if they ask for a database that has no route of its own. */
    point: {
      input: z.object({ name, application }),
      output: z.object({ host: z.string(), port: z.number().int() }),
      summary: 'point the alias {name} at {application}',
    },
    /** Tells whether it listens at its address. Another program may have taken that while nobody listened. */
    inspect: {
      input: z.object({ name }),
      output: z.object({ bound: z.boolean() }),
      summary: 'inspect the alias {name}',
    },
    /** Leads clients that ask for one database to an instance of its own. */
    route: {
      input: z.object({ name, database: sqlName, application }),
      output: none,
      summary: 'lead {database} of {name} to {application}',
    },
    /** Takes back all routes of databases to an instance. */
    unroute: {
      input: z.object({ name, application }),
      output: none,
      summary: 'lead nobody of {name} to {application}',
    },
    /** Sets the addresses that may connect, in place of those before. Clients with other addresses are cut off. */
    protect: {
      input: z.object({ name, rules: z.array(firewallRule) }),
      output: none,
      summary: 'set the firewall rules of {name}',
    },
    remove: { input: z.object({ name }), output: none, summary: 'remove the alias {name}' },
  }),
);
