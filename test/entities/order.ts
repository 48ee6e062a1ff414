import { z } from 'zod';
import {
  CallFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';

/** People who answer when they like. */
export const approvals = defineResource('approvals', {
  ask: {
    input: z.object({ amount: z.number() }),
    output: z.object({ by: z.string() }),
    answer: 'callback',
    within: '2d',
    summary: 'approval of {amount}',
  },
  book: { input: z.object({ by: z.string() }), output: z.object({}) },
});

/** An order that needs the approval of a person before it is booked. A1 */
export const Order = defineEntity('Order', {
  key: z.string(),
  roles: { read: ['operator', 'reader'] },
  properties: z.object({
    amount: z.number().default(0),
    /** How many others book it before it is approved. */
    before: z.number().default(0),
    by: z.string().optional(),
    why: z.string().optional(),
  }),
  states: {
    Absent: initial(),
    Approving: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Refused' } }),
    Approved: stable(),
    Refused: terminal({ health: 'error' }),
    Withdrawn: terminal(),
  },
  events: {
    place: { params: z.object({ amount: z.number(), before: z.number().optional() }), in: 'Absent' },
    withdraw: { in: ['Approving', 'Approved'], busy: 'abort' },
  },
  actions: {
    place: { on: 'place', in: 'Absent', to: 'Approving' },
    approve: { in: 'Approving', to: ['Approved', 'Refused'] },
    withdraw: { on: 'withdraw', in: ['Approving', 'Approved'], to: 'Withdrawn' },
  },
});

export const order = implementActions(Order, {
  place: async (app, { params }) => {
    app.properties.amount = params.amount;
    app.properties.before = params.before ?? 0;
    return app.goTo('Approving');
  },
  approve: async (app) => {
    try {
      for (let n = 1; n <= app.properties.before; n++) await app.call(approvals.book, { by: `booker ${n}` });
      const { by } = await app.call(approvals.ask, { amount: app.properties.amount });
      await app.call(approvals.book, { by });
      app.properties.by = by;
      return app.goTo('Approved');
    } catch (thrown) {
      if (!(thrown instanceof CallFailed) || thrown.code !== 'refused') throw thrown;
      app.properties.why = thrown.message;
      return app.goTo('Refused');
    }
  },
  withdraw: async (app) => app.goTo('Withdrawn'),
});
