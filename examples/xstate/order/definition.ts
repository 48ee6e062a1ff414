import { defineEntity, initial, stable, terminal, unstable } from 'reeve/definition';
import { z } from 'zod';

/**
 * Order, from the XState machine in order.json.
 */
export const Order = defineEntity('Order', {
  description: 'An order that is paid by card',
  key: z.string(),
  properties: z.object({
    amount: z.number().default(0),
    receipt: z.string().default(''),
  }),
  states: {
    open: initial(),
    paying: unstable({ retry: { attempts: 1, exhausted: 'unpaid' } }), // by hand
    unpaid: stable({ health: 'error' }),
    paid: stable({ description: 'Is sent a second later', deadline: { after: '1s', raise: 'paidTimeout' } }),
    sent: terminal(),
    canceled: terminal(),
  },
  events: {
    add: { in: 'open', stays: true, params: z.object({ price: z.number() }) }, // by hand
    checkout: { in: 'open' },
    cancel: { in: ['open', 'unpaid'] },
    pay: { in: 'unpaid' },
    paidTimeout: { in: 'paid', internal: true },
  },
  actions: {
    add: { on: 'add', in: 'open' },
    checkout: { on: 'checkout', in: 'open', to: 'paying' },
    cancel: { on: 'cancel', in: ['open', 'unpaid'], to: 'canceled' },
    pay: { on: 'pay', in: 'unpaid', to: 'paying' },
    paidTimeout: { on: 'paidTimeout', in: 'paid', to: 'sent' },
    charge: { in: 'paying', to: 'paid' },
  },
});
