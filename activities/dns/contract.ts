import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';

/** Names in the zone of the control plane: A and SRV records. */
export const names = defineResource(
  'names',
  resumedByHost({
    publish: {
      input: z.object({ name: z.string(), address: z.string(), port: z.number().int() }),
      output: z.object({ fqdn: z.string() }),
      summary: 'publish the name {name}',
    },
    withdraw: { input: z.object({ name: z.string() }), output: z.object({}), summary: 'withdraw the name {name}' },
  }),
);
