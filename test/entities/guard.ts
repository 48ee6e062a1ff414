import { z } from 'zod';
import { defineEntity, implementActions, initial, unstable } from '../../src/definition/index.js';
import { Account } from './bank.js';

/** Reserves an account again and again, and for longer than it is between two rounds. */
export const Guard = defineEntity('Guard', {
  key: z.string(),
  properties: z.object({ rounds: z.number().default(0) }),
  states: { Idle: initial(), Walking: unstable({ wait: '3s' }) },
  events: { round: { in: 'Idle' } },
  actions: { begin: { on: 'round', in: 'Idle', to: 'Walking' }, end: { in: 'Walking', to: 'Idle' } },
  timers: { round: { raise: 'round', every: '2s' } },
});

export const guard = implementActions(Guard, {
  begin: async (app) => {
    await app.reserve(Account, 'a', { until: 'operation', lease: '10m' });
    return app.goTo('Walking');
  },
  end: async (app) => {
    app.properties.rounds++;
    return app.goTo('Idle');
  },
});
