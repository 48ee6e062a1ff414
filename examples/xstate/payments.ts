import { defineResource } from 'reeve/definition';
import { z } from 'zod';

/** The service that the machine invokes as `charge`. */
export const payments = defineResource('payments', {
  charge: {
    input: z.object({ order: z.string(), amount: z.number() }),
    output: z.object({ receipt: z.string() }),
    summary: 'charge {amount} for {order}',
  },
});
