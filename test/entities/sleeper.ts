import { z } from 'zod';
import { any, defineEntity, initial, stable, terminal } from '../../src/definition/index.js';
import { Box } from './box.js';

/** A thing that waits for a while in its operation, if nobody wakes it: a box would. */
export const Sleeper = defineEntity('Sleeper', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Asleep: stable({ waiting: true }), Awake: terminal() },
  events: { sleep: { in: 'Absent' }, woken: { in: 'Asleep' }, rested: { in: 'Asleep' } },
  actions: {
    sleep: { on: 'sleep', in: 'Absent', to: 'Asleep' },
    wake: { on: 'woken', in: 'Asleep', to: 'Awake' },
    rest: { on: 'rested', in: 'Asleep', to: 'Awake' },
  },
  subscriptions: {
    noise: { when: any({ of: Box, in: 'Placed' }), raise: 'woken', timeout: { after: '10s', raise: 'rested' } },
  },
});
