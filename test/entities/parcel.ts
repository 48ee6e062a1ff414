import { z } from 'zod';
import { defineEntity, initial, stable, unstable } from '../../src/definition/index.js';

/** A thing whose sender is for good. */
export const Parcel = defineEntity('Parcel', {
  key: z.string(),
  properties: z.object({
    sender: z.object({ name: z.string(), city: z.string() }),
    kind: z.string().default('letter'),
    weight: z.number().default(1),
  }),
  construct: z.object({ sender: z.object({ name: z.string(), city: z.string() }) }),
  fixed: ['sender', 'kind'],
  states: {
    Packed: initial(stable()),
    Weighing: unstable({ retry: { attempts: 2, delay: '1s', exhausted: 'Packed' } }),
    Weighed: stable(),
  },
  events: {
    correct: { params: z.object({ city: z.string() }), in: 'Packed' },
    weigh: { in: 'Packed' },
    open: { in: 'Weighed' },
  },
  actions: {
    correct: { on: 'correct', in: 'Packed' },
    weigh: { on: 'weigh', in: 'Packed', to: 'Weighing' },
    measure: { in: 'Weighing', to: 'Weighed' },
    open: { on: 'open', in: 'Weighed', to: 'Packed' },
  },
});
