import { z } from 'zod';
import { any, defineEntity, initial, stable } from '../../src/definition/index.js';
import { Box } from './box.js';

/** A thing whose clock is quick: it flickers while it burns, goes out in the end, and does not wait for long. */
export const Candle = defineEntity('Candle', {
  key: z.string(),
  properties: z.object({ flickers: z.number().default(0) }),
  states: {
    Absent: initial(),
    Burning: stable({ deadline: { after: '6s', raise: 'burntDown' } }),
    Waiting: stable({ waiting: true }),
    Out: stable({ health: 'error' }),
  },
  events: {
    light: { in: ['Absent', 'Out'] },
    flicker: { in: 'Burning' },
    trim: { in: 'Burning' },
    wait: { in: 'Absent' },
    cheered: { in: 'Waiting' },
    tired: { in: 'Waiting' },
    burntDown: { in: 'Burning' },
  },
  actions: {
    light: { on: 'light', in: ['Absent', 'Out'], to: 'Burning' },
    flicker: { on: 'flicker', in: 'Burning' },
    trim: { on: 'trim', in: 'Burning', to: 'Burning' },
    wait: { on: 'wait', in: 'Absent', to: 'Waiting' },
    tire: { on: 'tired', in: 'Waiting', to: 'Out' },
    cheer: { on: 'cheered', in: 'Waiting', to: 'Burning' },
    goOut: { on: 'burntDown', in: 'Burning', to: 'Out' },
  },
  subscriptions: {
    company: { when: any({ of: Box, in: 'Placed' }), raise: 'cheered', timeout: { after: '500ms', raise: 'tired' } },
  },
  timers: { flicker: { every: '400ms', raise: 'flicker' } },
});
