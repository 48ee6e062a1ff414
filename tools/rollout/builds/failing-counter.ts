import { defineEntity } from '../../../src/definition/index.js';
import { Counter } from '../../replay/entities/definitions.js';
import { z } from 'zod';

/** The counter of a build that cannot count: of a newer schema, with a rollback. */
export const FailingCounter = defineEntity('Counter', {
  schema: 2,
  migrations: {
    2: {
      up: ({ properties: { count } }) => ({ properties: { count: Number(count), halves: Number(count) * 2 } }),
      down: ({ properties: { halves } }) => ({ properties: { count: Number(halves) / 2 } }),
    },
  },
  key: Counter.key,
  properties: z.object({ count: z.number().default(0), halves: z.number().default(0) }),
  states: Counter.states,
  events: Counter.events,
  actions: Counter.actions,
});
