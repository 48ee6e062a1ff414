import { z } from 'zod';
import { all, any, defineEntity, initial, stable, terminal, unstable } from '../../src/definition/index.js';

/** A thing that comes to be by its own action. */
export const Seed = defineEntity('Seed', {
  key: z.string(),
  properties: z.object({ colour: z.string() }),
  construct: z.object({ colour: z.string() }),
  states: { Growing: initial(unstable({ wait: '50ms' })), Grown: terminal() },
  events: {},
  actions: { grow: { in: 'Growing', to: 'Grown' } },
});

/** A thing that creates sites and seeds without an event, and waits for them. */
export const Town = defineEntity('Town', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Waiting: stable({ waiting: true }),
    Ready: stable(),
    Refused: stable({ health: 'error' }),
  },
  events: {
    found: { params: z.object({ sites: z.array(z.string()) }), in: 'Absent' },
    ready: { in: 'Waiting', internal: true },
    refused: { in: 'Waiting', internal: true },
    leave: { in: ['Ready', 'Refused'] },
  },
  actions: {
    found: { on: 'found', in: 'Absent', to: 'Waiting', raises: ['Site.created', 'Seed.created'] },
    finish: { on: 'ready', in: 'Waiting', to: 'Ready' },
    refuse: { on: 'refused', in: 'Waiting', to: 'Refused' },
    leave: { on: 'leave', in: ['Ready', 'Refused'], to: 'Absent' },
  },
  subscriptions: {
    refused: { when: any({ is: 'rejected' }), raise: 'refused' },
    settled: { when: all({ is: 'healthy' }), raise: 'ready' },
  },
});
