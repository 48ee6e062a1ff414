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

/** A question to a person. It is answered from outside, by HTTP, within two days. Nothing is kept open meanwhile. */
export const approvals = defineResource('approvals', {
  ask: {
    input: z.object({ expense: z.string(), amount: z.number() }),
    output: z.object({ by: z.string() }),
    answer: 'callback',
    within: '2d',
    summary: 'ask to approve {amount}',
  },
});

/** An expense that a person has to approve. */
export const Expense = defineEntity('Expense', {
  key: z.string(),
  construct: z.object({ amount: z.number().positive() }),
  properties: z.object({ amount: z.number().default(0), approvedBy: z.string().optional() }),
  states: {
    Absent: initial(),
    Asking: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Approved: terminal(),
    Refused: terminal(),
    Expired: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: { create: { in: 'Absent' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Asking' },
    ask: { in: 'Asking', to: ['Approved', 'Refused', 'Expired'] },
  },
});

export const expense = implementActions(Expense, {
  begin: async (self) => self.goTo('Asking'),
  ask: async (self) => {
    try {
      const { by } = await self.call(approvals.ask, { expense: self.key, amount: self.properties.amount });
      self.properties.approvedBy = by;
      return self.goTo('Approved');
    } catch (thrown) {
      // No answer in time, and a refusal, are answers too: nothing is tried again, and no operator has to fix anything.
      if (thrown instanceof CallFailed && thrown.code === 'call_timed_out') {
        const error = { code: 'no_answer', message: 'Nobody answered within two days.', answers: true };
        return self.goTo('Expired', { error });
      }
      if (thrown instanceof CallFailed && thrown.code === 'refused') {
        return self.goTo('Refused', { error: { code: thrown.code, message: thrown.message, answers: true } });
      }
      throw thrown; // the question could not be asked: it is asked again
    }
  },
});
