import { z } from 'zod';
import { all, defineEntity, deleted, initial, stable } from '../../../src/definition/index.js';

/** Raises `attach` on databases, which raise `attached` on it. */
export const Server = defineEntity('Server', {
  key: z.string(),
  properties: z.object({ databases: z.array(z.string()).default([]) }),
  states: { Absent: initial(), Waiting: stable({ waiting: true }), Ready: stable(), Deleted: deleted() },
  events: {
    open: { params: z.object({ database: z.string() }), in: 'Absent' },
    attached: { params: z.object({ database: z.string() }), in: ['Waiting', 'Ready'] },
    finish: { in: 'Waiting' },
    close: { in: 'Ready' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Waiting' },
    note: { on: 'attached', in: ['Waiting', 'Ready'] },
    finish: { on: 'finish', in: 'Waiting', to: 'Ready' },
    close: { on: 'close', in: 'Ready', to: 'Deleted' },
  },
  // By name: declarations that watch each other cannot import each other.
  subscriptions: { ready: { when: all({ of: 'Database', in: 'Attached' }), raise: 'finish' } },
});
