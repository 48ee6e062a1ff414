import { defineEntity, implementActions, initial, rejection, stable, terminal } from 'reeve/definition';
import { z } from 'zod';

const taken = rejection('taken', 'Another customer has the seat.');

/** A seat of a theatre. It is held for ten minutes at most, until it is paid. */
export const Seat = defineEntity('Seat', {
  key: z.string(),
  properties: z.object({ customer: z.string().optional() }),
  states: {
    Free: initial(stable()),
    Held: stable({ deadline: { after: '10m', raise: 'release' } }),
    Sold: terminal(),
  },
  events: {
    hold: { params: z.object({ customer: z.string() }), in: 'Free', otherwise: { Held: taken, Sold: taken } },
    release: { in: 'Held' },
    sell: { in: 'Held' },
  },
  actions: {
    hold: { on: 'hold', in: 'Free', to: 'Held' },
    release: { on: 'release', in: 'Held', to: 'Free' },
    sell: { on: 'sell', in: 'Held', to: 'Sold' },
  },
});

export const seat = implementActions(Seat, {
  hold: async (self, { params }) => {
    self.properties.customer = params.customer;
    return self.goTo('Held');
  },
  release: async (self) => {
    delete self.properties.customer;
    return self.goTo('Free');
  },
  sell: async (self) => self.goTo('Sold'),
});
