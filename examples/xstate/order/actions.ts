import { implementActions } from 'reeve/definition';
import { payments } from '../payments.js'; // by hand
import { Order } from './definition.js';

/** The actions of the machine. A TODO names what it did; a condition over properties can be a 'when' of the event. */
export const orderActions = implementActions(Order, {
  /* by hand */ add: async (self, { params }) => {
    self.properties.amount += params.price; // by hand
  },
  checkout: async (self) => self.goTo('paying'),
  cancel: async (self) => self.goTo('canceled'),
  pay: async (self) => self.goTo('paying'),
  paidTimeout: async (self) => self.goTo('sent'),
  charge: async (self) => {
    const { amount } = self.properties; // by hand
    const { receipt } = await self.call(payments.charge, { order: self.key, amount }); // by hand
    self.properties.receipt = receipt; // by hand
    return self.goTo('paid');
  },
});
