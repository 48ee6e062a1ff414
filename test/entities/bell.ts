import { z } from 'zod';
import { defineEntity, deleted, initial, stable } from '../../src/definition/index.js';

/** A bell that rings at three o'clock in the morning in Berlin, unless it is muffled. */
export const Bell = defineEntity('Bell', {
  key: z.string(),
  properties: z.object({ rings: z.array(z.string()).default([]), knocks: z.number().default(0) }),
  states: { Absent: initial(), Hung: stable(), Muffled: stable(), Melted: deleted() },
  events: {
    hang: { in: 'Absent' },
    ring: { in: 'Hung', internal: true },
    knock: { in: ['Hung', 'Muffled'] },
    muffle: { in: 'Hung' },
    free: { in: 'Muffled' },
    melt: { in: ['Hung', 'Muffled'] },
  },
  actions: {
    hang: { on: 'hang', in: 'Absent', to: 'Hung' },
    ring: { on: 'ring', in: 'Hung' },
    knock: { on: 'knock', in: ['Hung', 'Muffled'] },
    muffle: { on: 'muffle', in: 'Hung', to: 'Muffled' },
    free: { on: 'free', in: 'Muffled', to: 'Hung' },
    melt: { on: 'melt', in: ['Hung', 'Muffled'], to: 'Melted' },
  },
  timers: { morning: { cron: '0 3 * * *', timeZone: 'Europe/Berlin', raise: 'ring' } },
});
