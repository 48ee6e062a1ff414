import { z } from 'zod';
import { all, defineEntity, initial, stable, terminal, unstable } from '../../src/definition/index.js';

/** A thing whose attempts are far apart. */
export const Kiln = defineEntity('Kiln', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Cold: initial(),
    Firing: unstable({
      retry: { attempts: 5, delay: '1h', maxDelay: '1h' },
      deadline: { after: '1d', raise: 'giveUp' },
    }),
    Fired: terminal(),
    Broken: terminal({ health: 'error' }),
  },
  events: { fire: { in: 'Cold' }, giveUp: { in: 'Firing' } },
  actions: {
    begin: { on: 'fire', in: 'Cold', to: 'Firing' },
    fire: { in: 'Firing', to: 'Fired' },
    giveUp: { on: 'giveUp', in: 'Firing', to: 'Broken' },
  },
});

/** Rests for its kilns. */
export const Pottery = defineEntity('Pottery', {
  key: z.string(),
  properties: z.object({}),
  states: { Planned: initial(), Waiting: stable({ waiting: true }), Open: terminal() },
  events: { found: { params: z.object({ kilns: z.array(z.string()) }), in: 'Planned' }, fired: { in: 'Waiting' } },
  actions: {
    found: { on: 'found', in: 'Planned', to: 'Waiting' },
    open: { on: 'fired', in: 'Waiting', to: 'Open' },
  },
  subscriptions: { fired: { when: all({ of: Kiln, is: 'settled' }), raise: 'fired' } },
});
