import { z } from 'zod';
import {
  all,
  alreadyDone,
  any,
  atLeast,
  defineEntity,
  deleted,
  initial,
  link,
  links,
  not,
  stable,
} from '../../src/definition/index.js';

/** One of many that do the same. */
export const Ship = defineEntity('Ship', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Running: stable(), Deleted: deleted() },
  events: { launch: { in: 'Absent', otherwise: { Running: alreadyDone() } }, scrap: { in: 'Running' } },
  actions: {
    launch: { on: 'launch', in: 'Absent', to: 'Running' },
    scrap: { on: 'scrap', in: 'Running', to: 'Deleted' },
  },
});

/** An entity that needs three of its ships for as long as it lives, and its flagship. */
export const Fleet = defineEntity('Fleet', {
  key: z.string(),
  properties: z.object({}),
  links: { flagship: link('Ship'), ships: links('Ship') },
  states: {
    Absent: initial(),
    Launching: stable({ waiting: true }),
    Ready: stable(),
    Degraded: stable({ health: 'error' }),
    Headless: stable({ health: 'error' }),
  },
  events: {
    launch: { params: z.object({ ships: z.array(z.string()) }), in: 'Absent' },
    launched: { in: 'Launching' },
    refit: { in: 'Ready' },
    relaunch: { params: z.object({ ship: z.string() }), in: ['Ready', 'Degraded', 'Headless'] },
    fewer: { in: 'Ready' },
    headless: { in: 'Ready' },
  },
  actions: {
    launch: { on: 'launch', in: 'Absent', to: 'Launching', raises: ['Ship.launch'] },
    finish: { on: 'launched', in: 'Launching', to: 'Ready', raises: [] },
    refit: { on: 'refit', in: 'Ready', to: 'Ready', raises: [] },
    relaunch: { on: 'relaunch', in: ['Ready', 'Degraded', 'Headless'], to: 'Launching', raises: ['Ship.launch'] },
    degrade: { on: 'fewer', in: 'Ready', to: 'Degraded', raises: [] },
    stop: { on: 'headless', in: 'Ready', to: 'Headless', raises: [] },
  },
  subscriptions: {
    launched: { when: all({ of: Ship, is: 'settled' }), raise: 'launched', among: 'life' },
    headless: { when: any({ of: Ship, role: 'flagship', is: 'lost' }), raise: 'headless', among: 'life' },
    tooFew: { when: not(atLeast(3, { of: Ship, in: 'Running' })), raise: 'fewer', among: 'life' },
  },
});
