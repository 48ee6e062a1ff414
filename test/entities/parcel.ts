import { z } from 'zod';
import { defineEntity, deleted, initial, link, links, stable, terminal, unstable } from '../../src/definition/index.js';

/** Where parcels are brought; it can be closed for good. */
export const Depot = defineEntity('Depot', {
  key: z.string(),
  properties: z.object({}),
  states: { Open: initial(), Closed: deleted() },
  events: { close: { in: 'Open' } },
  actions: { close: { on: 'close', in: 'Open', to: 'Closed' } },
});

/** A thing whose sender is for good, and that is brought only to where there is something. */
export const Parcel = defineEntity('Parcel', {
  key: z.string(),
  properties: z.object({
    sender: z.object({ name: z.string(), city: z.string() }),
    kind: z.string().default('letter'),
    weight: z.number().default(1),
  }),
  links: { depot: link(Depot, { mustExist: true }), passed: links(Depot, { mustExist: true }), owner: link('Person') },
  construct: z.object({ sender: z.object({ name: z.string(), city: z.string() }), depot: z.string().optional() }),
  fixed: ['sender', 'kind'],
  states: {
    Packed: initial(stable()),
    Weighing: unstable({ retry: { attempts: 2, delay: '1s', exhausted: 'Packed' } }),
    Weighed: stable(),
  },
  events: {
    correct: { params: z.object({ city: z.string() }), in: 'Packed' },
    bring: { params: z.object({ depot: z.string() }), in: 'Packed' },
    weigh: { in: 'Packed' },
    open: { in: 'Weighed' },
  },
  actions: {
    correct: { on: 'correct', in: 'Packed' },
    bring: { on: 'bring', in: 'Packed' },
    weigh: { on: 'weigh', in: 'Packed', to: 'Weighing' },
    measure: { in: 'Weighing', to: 'Weighed' },
    open: { on: 'open', in: 'Weighed', to: 'Packed' },
  },
});

/** A thing that makes parcels, and depots with them where it is told so. */
export const Office = defineEntity('Office', {
  key: z.string(),
  properties: z.object({}),
  states: { Open: initial(), Shut: terminal() },
  events: {
    post: { params: z.object({ parcel: z.string(), depot: z.string(), opens: z.boolean() }), in: 'Open' },
    shut: { in: 'Open' },
  },
  actions: {
    post: { on: 'post', in: 'Open', raises: ['Parcel.created', 'Depot.created'] },
    shut: { on: 'shut', in: 'Open', to: 'Shut' },
  },
});
