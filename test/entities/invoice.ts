import { z } from 'zod';
import {
  answerAddress,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';

/** Those who collect money, and tell when it has come. */
export const cashiers = defineResource('cashiers', {
  bill: { input: z.object({ amount: z.number(), paid: answerAddress }), output: z.object({}) },
});

/** An invoice waits for its payment in a stable state, and can be reminded and cancelled meanwhile. A2 */
export const Invoice = defineEntity('Invoice', {
  key: z.string(),
  properties: z.object({ amount: z.number().default(0), by: z.string().optional(), reminders: z.number().default(0) }),
  states: {
    Absent: initial(),
    Billing: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Failed' } }),
    Billed: stable(),
    Paid: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: {
    place: { params: z.object({ amount: z.number() }), in: 'Absent' },
    paid: { params: z.object({ by: z.string() }), in: 'Billed', internal: true, answer: true },
    remind: { in: 'Billed', stays: true },
    rebill: { in: 'Billed' },
  },
  actions: {
    place: { on: 'place', in: 'Absent', to: 'Billing' },
    bill: { in: 'Billing', to: 'Billed' },
    paid: { on: 'paid', in: 'Billed', to: 'Paid' },
    remind: { on: 'remind', in: 'Billed' },
    rebill: { on: 'rebill', in: 'Billed', to: 'Billing' },
  },
});

export const invoice = implementActions(Invoice, {
  place: async (app, { params }) => {
    app.properties.amount = params.amount;
    return app.goTo('Billing');
  },
  bill: async (app) => {
    const { amount } = app.properties;
    await app.call(cashiers.bill, { amount, paid: app.answerBy('paid', { within: '1d' }) });
    return app.goTo('Billed');
  },
  paid: async (app, { params }) => {
    app.properties.by = params.by;
    return app.goTo('Paid');
  },
  remind: async (app) => {
    app.properties.reminders++;
  },
  rebill: async (app) => app.goTo('Billing'),
});
