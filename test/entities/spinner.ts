import { z } from 'zod';
import { defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';

/** A thing whose code does what no code may do, by the kind that it is told. */
export const Spinner = defineEntity('Spinner', {
  key: z.string(),
  properties: z.object({ kind: z.string().default(''), turns: z.number().default(0) }),
  states: {
    Absent: initial(),
    Idle: stable(),
    Spinning: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Broken' } }),
    Broken: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent' },
    spin: { in: ['Idle', 'Broken'], params: z.object({ kind: z.string() }) },
    remove: { in: ['Idle', 'Broken'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Idle' },
    take: { on: 'spin', in: ['Idle', 'Broken'], to: 'Spinning' },
    turn: { in: 'Spinning', to: 'Idle' },
    end: { on: 'remove', in: ['Idle', 'Broken'], to: 'Gone' },
  },
});
