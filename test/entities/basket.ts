import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { pad } from './rig.js';

/** Is filled by an automatic action that fails until it was changed. The change stays in the state. */
export const Basket = defineEntity('Basket', {
  key: z.string(),
  properties: z.object({ item: z.string().default(''), changed: z.boolean().default(false) }),
  states: {
    New: initial(),
    Filling: unstable({ retry: { delay: '50ms', maxDelay: '50ms' } }),
    Done: terminal(),
  },
  events: {
    start: { params: z.object({ item: z.string() }), in: 'New' },
    change: { params: z.object({ item: z.string() }), in: 'Filling', stays: true },
  },
  actions: {
    start: { on: 'start', in: 'New', to: 'Filling' },
    change: { on: 'change', in: 'Filling' },
    fill: { in: 'Filling', to: 'Done' },
  },
});

export const basket = implementActions(Basket, {
  start: async (app, { params }) => {
    app.properties.item = params.item;
    return app.goTo('Filling');
  },
  change: async (app, { params }) => {
    Object.assign(app.properties, params, { changed: true });
  },
  fill: async (app) => {
    await app.call(pad.note, { on: app.key, text: app.properties.item });
    if (!app.properties.changed) throw new Error('The basket is not complete.');
    return app.goTo('Done');
  },
});
