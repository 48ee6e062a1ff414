import { z } from 'zod';
import { all, defineEntity, initial, stable, terminal } from '../../../src/definition/index.js';
import { Valve } from './valve.js';

/** Installs valves and rests for them. */
export const Plant = defineEntity('Plant', {
  key: z.string(),
  properties: z.object({}),
  states: { Planned: initial(), Building: stable({ waiting: true }), Built: terminal() },
  events: { build: { params: z.object({ valves: z.number() }), in: 'Planned' }, built: { in: 'Building' } },
  actions: {
    build: { on: 'build', in: 'Planned', to: 'Building' },
    finish: { on: 'built', in: 'Building', to: 'Built' },
  },
  subscriptions: { built: { when: all({ of: Valve, in: 'Idle' }), raise: 'built' } },
});
