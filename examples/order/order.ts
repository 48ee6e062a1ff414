import { defineEntity, defineResource, implementActions, initial, terminal, unstable } from 'reeve/definition';
import { z } from 'zod';

const order = z.object({ order: z.string() });
const done = z.object({});

/* Each undo names the order and not what the step has returned: a step that failed may have taken effect all the same. */
export const stock = defineResource('stock', {
  reserve: { input: order.extend({ item: z.string() }), output: done, summary: 'reserve {item}' },
  release: { input: order, output: done },
});
export const payments = defineResource('payments', {
  charge: { input: order.extend({ amount: z.number() }), output: done, summary: 'charge {amount}' },
  refund: { input: order, output: done },
});
export const parcels = defineResource('parcels', {
  send: { input: order.extend({ item: z.string() }), output: z.object({ number: z.string() }), summary: 'send {item}' },
});

/* A step is tried three times, and then undone. An undo goes on for days: whoever runs its service has time to fix it. */
const step = { attempts: 3, delay: '1s' } as const;
const undo = { attempts: 100, delay: '1s', maxDelay: '1h' } as const;

/** An order: its item is reserved, paid and sent, or else all of it is undone. */
export const Order = defineEntity('Order', {
  key: z.string(),
  construct: z.object({ item: z.string(), amount: z.number().positive() }),
  properties: z.object({ item: z.string().default(''), amount: z.number().default(0), parcel: z.string().optional() }),
  states: {
    Absent: initial(),
    Reserving: unstable({ retry: { ...step, exhausted: 'Releasing' } }),
    Charging: unstable({ retry: { ...step, exhausted: 'Refunding' } }),
    Sending: unstable({ retry: { ...step, exhausted: 'Refunding' } }),
    Sent: terminal(),
    Refunding: unstable({ retry: undo }),
    Releasing: unstable({ retry: undo }),
    Canceled: terminal(),
  },
  events: { create: { in: 'Absent' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Reserving' },
    reserve: { in: 'Reserving', to: 'Charging' },
    charge: { in: 'Charging', to: 'Sending' },
    send: { in: 'Sending', to: 'Sent' },
    refund: { in: 'Refunding', to: 'Releasing' },
    release: { in: 'Releasing', to: 'Canceled' },
  },
});

export const orderActions = implementActions(Order, {
  begin: async (self) => self.goTo('Reserving'),
  reserve: async (self) => {
    await self.call(stock.reserve, { order: self.key, item: self.properties.item });
    return self.goTo('Charging');
  },
  charge: async (self) => {
    await self.call(payments.charge, { order: self.key, amount: self.properties.amount });
    return self.goTo('Sending');
  },
  send: async (self) => {
    const { number } = await self.call(parcels.send, { order: self.key, item: self.properties.item });
    self.properties.parcel = number;
    return self.goTo('Sent');
  },
  refund: async (self) => {
    await self.call(payments.refund, { order: self.key });
    return self.goTo('Releasing');
  },
  release: async (self) => {
    await self.call(stock.release, { order: self.key });
    return self.goTo('Canceled');
  },
});
