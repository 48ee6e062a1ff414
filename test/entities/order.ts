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

/** Somebody who orders, and waits until people have decided. S3.8 */
export const Purchaser = defineEntity('Purchaser', {
  key: z.string(),
  properties: z.object({ heard: z.array(z.string()).default([]) }),
  states: { Idle: initial(), Content: terminal() },
  events: { buy: { params: z.object({ within: z.string() }), in: 'Idle' }, stop: { in: 'Idle', busy: 'abort' } },
  actions: {
    buy: { on: 'buy', in: 'Idle', to: 'Content' },
    stop: { on: 'stop', in: 'Idle', to: 'Content' },
  },
});

export const purchaser = implementActions(Purchaser, {
  buy: async (app, { params }) => {
    const within = params.within as '1d';
    // Both are waited for at once.
    const waits = ['one', 'two'].map((name) =>
      app
        .createAndWait(Order, `${app.key}-${name}`, 'place', { amount: 5 }, { within })
        .then((outcome) => (outcome.status === 'settled' ? outcome.state : outcome.code))
        .catch((thrown: { readonly code: string }) => thrown.code),
    );
    app.properties.heard.push(await waits[0]!, await waits[1]!);
    const seen = await app.read(Order, `${app.key}-one`);
    app.properties.heard.push(seen?.properties.by ?? 'nobody');
    return app.goTo('Content');
  },
  stop: async (app) => app.goTo('Content'),
});
