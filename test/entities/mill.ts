import { z } from 'zod';
import { defineEntity, defineResource, implementActions, initial, terminal } from '../../src/definition/index.js';

export const stones = defineResource('stones', {
  grind: { input: z.object({ grain: z.int() }), output: z.int() },
});

/** A mill whose action makes very many calls at once. */
export const Mill = defineEntity('Mill', {
  key: z.string(),
  properties: z.object({ ground: z.int().optional() }),
  states: { Empty: initial(), Full: terminal() },
  events: { grind: { params: z.object({ grains: z.int() }), in: 'Empty' } },
  actions: { grind: { on: 'grind', in: 'Empty', to: 'Full' } },
});

export const mill = implementActions(Mill, {
  grind: async (app, { params: { grains } }) => {
    const ground = await Promise.all(Array.from({ length: grains }, (_, grain) => app.call(stones.grind, { grain })));
    app.properties.ground = ground.reduce((sum, each) => sum + each, 0);
    return app.goTo('Full');
  },
});
