import { implementActions } from '../../src/definition/index.js';
import { Parcel } from './parcel.js';

export const parcel = implementActions(Parcel, {
  correct: async (app, { params }) => {
    app.properties.weight = 7;
    // Only the top is read-only for the compiler.
    app.properties.sender.city = params.city;
  },
  weigh: async (app) => app.goTo('Weighing'),
  measure: async (app) => {
    app.properties.weight = 2;
    return app.goTo('Weighed');
  },
  open: async (app) => app.goTo('Packed'),
});
