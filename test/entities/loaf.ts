import { z } from 'zod';
import { defineEntity, implementActions, initial, stable, unstable } from '../../src/definition/index.js';

/** A loaf that is turned again and again, and is spoilt when all of that takes too long. S4.5 */
export const Loaf = defineEntity('Loaf', {
  key: z.string(),
  properties: z.object({ turns: z.number().default(0) }),
  states: {
    Dough: initial(),
    OneSide: unstable({ wait: '100ms' }),
    OtherSide: unstable({ wait: '100ms' }),
    Spoilt: stable({ health: 'error' }),
  },
  events: {
    bake: { in: ['Dough', 'Spoilt'] },
    tooLong: { in: ['OneSide', 'OtherSide'], internal: true },
  },
  actions: {
    bake: { on: 'bake', in: ['Dough', 'Spoilt'], to: 'OneSide' },
    turn: { in: 'OneSide', to: 'OtherSide' },
    turnBack: { in: 'OtherSide', to: 'OneSide' },
    spoil: { on: 'tooLong', in: ['OneSide', 'OtherSide'], to: 'Spoilt' },
  },
  limits: { baking: { in: ['OneSide', 'OtherSide'], after: '5s', raise: 'tooLong' } },
});

export const loaf = implementActions(Loaf, {
  bake: async (app) => {
    app.properties.turns = 0;
    return app.goTo('OneSide');
  },
  turn: async (app) => {
    app.properties.turns++;
    return app.goTo('OtherSide');
  },
  turnBack: async (app) => {
    app.properties.turns++;
    return app.goTo('OneSide');
  },
  spoil: async (app) => app.goTo('Spoilt'),
});
