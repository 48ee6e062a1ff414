import {
  CallFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  terminal,
  unstable,
} from 'reeve/definition';
import { z } from 'zod';

export const approvals = defineResource('approvals', {
  ask: {
    input: z.object({ amount: z.number() }),
    output: z.object({ by: z.string() }),
    answer: 'callback',
    within: '2d',
  },
});

export const Order = defineEntity('Order', {
  key: z.string(),
  construct: z.object({ amount: z.number() }),
  properties: z.object({ amount: z.number(), by: z.string().optional() }),
  states: {
    Absent: initial(),
    Asking: unstable({ retry: { attempts: 1, exhausted: 'Refused' } }),
    Approved: terminal(),
    Refused: terminal(),
  },
  events: { place: { in: 'Absent' } },
  actions: {
    place: { on: 'place', in: 'Absent', to: 'Asking' },
    ask: { in: 'Asking', to: ['Approved', 'Refused'] },
  },
});

export const order = implementActions(Order, {
  place: async (order) => order.goTo('Asking'),
  ask: async (order) => {
    try {
      const { by } = await order.call(approvals.ask, { amount: order.properties.amount });
      order.properties.by = by;
      return order.goTo('Approved');
    } catch (thrown) {
      if (!(thrown instanceof CallFailed)) throw thrown;
      return order.goTo('Refused', { error: { answers: true, code: thrown.code, message: thrown.message } });
    }
  },
});
