import { z } from 'zod';
import { defineEntity, initial, stable } from '../../../src/definition/index.js';

/** Raises `attached` on the server that raised `attach` on it. */
export const Database = defineEntity('Database', {
  key: z.string(),
  properties: z.object({ server: z.string().optional() }),
  states: { Free: initial(), Attached: stable() },
  events: { attach: { params: z.object({ server: z.string() }), in: 'Free' }, release: { in: 'Attached' } },
  actions: {
    attach: { on: 'attach', in: 'Free', to: 'Attached' },
    release: { on: 'release', in: 'Attached', to: 'Free' },
  },
});
