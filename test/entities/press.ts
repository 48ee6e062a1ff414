import { z } from 'zod';
import { defineEntity, initial, terminal, unstable } from '../../src/definition/index.js';

/** A thing that gives up after its first attempt, and then needs an operator. */
export const Press = defineEntity('Press', {
  key: z.string(),
  properties: z.object({}),
  states: { Idle: initial(), Pressing: unstable({ retry: { attempts: 1 } }), Pressed: terminal() },
  events: { press: { in: 'Idle' } },
  actions: { begin: { on: 'press', in: 'Idle', to: 'Pressing' }, press: { in: 'Pressing', to: 'Pressed' } },
});
