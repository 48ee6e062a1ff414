import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { shelf } from './box.js';

/** An entity that uses up its attempts soon, and then waits for an operator. */
export const Gate = defineEntity('Gate', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Shut: initial(),
    Lifting: unstable({ retry: { attempts: 2, delay: '100ms' } }),
    Open: terminal(),
  },
  events: { open: { in: 'Shut' } },
  actions: {
    begin: { on: 'open', in: 'Shut', to: 'Lifting' },
    lift: { in: 'Lifting', to: 'Open' },
  },
});

export const gate = implementActions(Gate, {
  begin: async (app) => app.goTo('Lifting'),
  lift: async (app) => {
    await app.call(shelf.put, { name: app.key });
    return app.goTo('Open');
  },
});
