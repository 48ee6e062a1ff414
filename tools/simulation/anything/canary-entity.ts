import { z } from 'zod';
import { defineEntity, deleted, implementActions, initial, stable } from '../../../src/definition/index.js';

/** A healthy entity beside those that are drawn. Nobody of them may keep it waiting. */
export const Canary = defineEntity('Canary', {
  key: z.string(),
  properties: z.object({ hits: z.number().default(0) }),
  states: { Absent: initial(), Up: stable(), Gone: deleted() },
  events: { create: { in: 'Absent' }, hit: { in: 'Up' }, remove: { in: 'Up' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Up' },
    hit: { on: 'hit', in: 'Up' },
    remove: { on: 'remove', in: 'Up', to: 'Gone' },
  },
});

export const canary = implementActions(Canary, {
  begin: async (app) => app.goTo('Up'),
  hit: async (app) => {
    app.properties.hits++;
  },
  remove: async (app) => app.goTo('Gone'),
});
