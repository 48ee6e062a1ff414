import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';

const address = z.object({ host: z.string(), port: z.number().int() });

/** Stable addresses that forward to wherever a service runs. */
export const aliases = defineResource('aliases', {
  /** Keeps an address for the name. It takes no connections before it is pointed somewhere. */
  reserve: { input: z.object({ name: z.string() }), output: address, summary: 'reserve an address for {name}' },
  point: {
    input: z.object({ name: z.string(), target: address }),
    output: address,
    summary: 'point the alias {name} at its service',
  },
  remove: { input: z.object({ name: z.string() }), output: z.object({}), summary: 'remove the alias {name}' },
});
