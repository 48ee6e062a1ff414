import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  property,
  stable,
  terminal,
  unstable,
} from 'reeve/definition';
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const payments = defineResource('payments', {
  charge: {
    input: z.object({ customer: z.string(), period: z.number(), price: z.number() }),
    output: z.object({}),
    summary: 'charge {price} for period {period}',
  },
});

const terms = {
  price: z.number().positive(),
  periodMs: z
    .int()
    .positive()
    .default(30 * DAY_MS),
};

/** A subscription that is paid for each period in advance. Its key is the customer. */
export const Subscription = defineEntity('Subscription', {
  key: z.string(),
  construct: z.object(terms),
  properties: z.object({
    ...{ ...terms, price: z.number().default(0) },
    periods: z.int().default(0),
    paidUntil: z.int().optional(), // milliseconds since 1970
  }),
  states: {
    Absent: initial(),
    Billing: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'PastDue' } }),
    Active: stable({ deadline: { at: property('paidUntil'), raise: 'renew' } }),
    Ending: stable({ deadline: { at: property('paidUntil'), raise: 'end' } }),
    PastDue: stable({ health: 'error', deadline: { after: '14d', raise: 'end' } }),
    Ended: terminal(),
  },
  events: {
    create: { in: 'Absent' },
    renew: { in: 'Active', internal: true },
    pay: { in: 'PastDue' },
    cancel: { in: 'Active' },
    end: { in: ['Ending', 'PastDue'], internal: true },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Billing' },
    bill: { in: 'Billing', to: 'Active' },
    renew: { on: 'renew', in: 'Active', to: 'Billing' },
    pay: { on: 'pay', in: 'PastDue', to: 'Billing' },
    cancel: { on: 'cancel', in: 'Active', to: 'Ending' },
    end: { on: 'end', in: ['Ending', 'PastDue'], to: 'Ended' },
  },
});

export const subscription = implementActions(Subscription, {
  begin: async (self) => self.goTo('Billing'),
  bill: async (self) => {
    const { price, periodMs, periods, paidUntil } = self.properties;
    await self.call(payments.charge, { customer: self.key, period: periods + 1, price });
    self.properties.periods = periods + 1;
    // A period begins where the last one ended, so periods do not drift by the time that a charge takes.
    self.properties.paidUntil = (paidUntil ?? self.now()) + periodMs;
    return self.goTo('Active');
  },
  renew: async (self) => self.goTo('Billing'),
  pay: async (self) => {
    self.properties.paidUntil = self.now(); // the time that was not paid was not used
    return self.goTo('Billing');
  },
  cancel: async (self) => self.goTo('Ending'), // used until the end of what is paid
  end: async (self) => self.goTo('Ended'),
});
