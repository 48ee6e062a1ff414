import { implementActions } from '../../src/definition/index.js';
import { Depot, Office, Parcel } from './parcel.js';

export const depot = implementActions(Depot, { close: async (app) => app.goTo('Closed') });

export const parcel = implementActions(Parcel, {
  correct: async (app, { params }) => {
    app.properties.weight = 7;
    // Only the top is read-only for the compiler.
    app.properties.sender.city = params.city;
  },
  bring: async (app, { params }) => {
    const { depot: last } = app.links;
    if (last !== undefined) app.links.passed = [...new Set([...app.links.passed, last])];
    app.links.depot = params.depot;
  },
  weigh: async (app) => app.goTo('Weighing'),
  measure: async (app) => {
    app.properties.weight = 2;
    return app.goTo('Weighed');
  },
  open: async (app) => app.goTo('Packed'),
});

export const office = implementActions(Office, {
  post: async (app, { params }) => {
    if (params.opens) app.construct(Depot, params.depot, {});
    app.construct(Parcel, params.parcel, { sender: { name: app.key, city: 'London' }, depot: params.depot });
  },
  shut: async (app) => app.goTo('Shut'),
});
