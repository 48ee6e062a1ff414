import { implementActions, keyOf } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Berth, FIRST, Light, Watch } from './berth.js';

export const berth = implementActions(Berth, {
  open: async (app, { params }) => {
    app.properties.label = params.label ?? `${app.keyParts.side} ${app.keyParts.number}`;
    app.subordinates.ropes['bow'] = { length: 10 + app.keyParts.number };
    return app.goTo('Open');
  },
  /** Creates the next one, by its parts. */
  extend: async (app, { params }) => {
    const next = { ...app.keyParts, number: app.keyParts.number + params.by };
    app.create(Berth, next, 'open', {});
    app.links.next = keyOf(Berth, next);
  },
  close: async (app) => app.goTo('Gone'),
});

export const watch = implementActions(Watch, {
  begin: async (app) => {
    app.create(Berth, FIRST, 'open', {});
    app.create(Berth, { ...FIRST, number: 2 }, 'open', {});
    return app.goTo('Waiting');
  },
  keep: async (app) => {
    const first = await app.reserve(Berth, FIRST);
    app.properties.seen = `${first?.key}: ${first?.properties.label}`;
    return app.goTo('Kept');
  },
});

export const light = implementActions(Light, { light: async (app) => app.goTo('Lit') });

export default entityWorkflows(berth, watch, light);
