import { z } from 'zod';
import { all, defineEntity, implementActions, initial, stable, terminal } from '../../src/definition/index.js';
import { Order } from './order.js';

/** Orders something, and gives it up only after it has lost its patience. S4.7 */
export const Buyer = defineEntity('Buyer', {
  key: z.string(),
  properties: z.object({}),
  states: {
    New: initial(),
    Waiting: stable({ waiting: true }),
    Impatient: stable({ waiting: true }),
    GivenUp: terminal(),
    Served: terminal(),
  },
  events: {
    buy: { in: 'New' },
    lose: { in: 'Waiting' },
    giveUp: { in: 'Impatient' },
    served: { in: ['Waiting', 'Impatient'] },
  },
  actions: {
    buy: { on: 'buy', in: 'New', to: 'Waiting' },
    lose: { on: 'lose', in: 'Waiting', to: 'Impatient' },
    giveUp: { on: 'giveUp', in: 'Impatient', to: 'GivenUp' },
    serve: { on: 'served', in: ['Waiting', 'Impatient'], to: 'Served' },
  },
  subscriptions: { served: { when: all({ of: Order, is: 'settled' }), raise: 'served' } },
  cancel: 'giveUp',
});

export const buyer = implementActions(Buyer, {
  buy: async (app) => {
    app.create(Order, app.key, 'place', { amount: 5 });
    return app.goTo('Waiting');
  },
  lose: async (app) => app.goTo('Impatient'),
  giveUp: async (app) => app.goTo('GivenUp'),
  serve: async (app) => app.goTo('Served'),
});
