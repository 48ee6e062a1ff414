import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { Api } from '../../src/cli/api/api.js';
import { Problem } from '../../src/cli/api/problem.js';
import { withQuestions } from '../../src/cli/api/question.js';
import { callbackLines } from '../../src/cli/callback-words.js';

const order = { type: 'Order', key: 'o' };
const call = (name: string, amount: number) => ({ call: name, input: { status: 'recorded', value: { amount } } });

/** A service whose entity has an event that has not ended, with these calls. */
function service(values: () => unknown): Api {
  const ask = async (_: string, path: string) => {
    return { body: path === '/api/events' ? { value: [{ event_id: 7 }] } : values(), headers: new Headers() };
  };
  return { ask } as unknown as Api;
}

it('an operator sees what a pending call asks, as it was asked last (A1, S6.3)', async () => {
  const api = service(() => ({ calls: [call('approvals.ask', 5), call('other.call', 6), call('approvals.ask', 7)] }));
  const pending = { id: 'c', call: 'approvals.ask', since: 0, until: 9_000 };
  const [asked] = await withQuestions(api, order, [pending]);
  expect(asked).toEqual({ ...pending, input: { amount: 7 } });
  const lines = callbackLines(order, pending, asked!.input, 1_000).map(stripVTControlCharacters);
  expect(lines.slice(0, 2)).toEqual(['approvals.ask  asked 1 s ago, 8 s at most', '  asks {"amount":7}']);
});

it('nothing is shown where an event is awaited, or the caller may not see the values (S6.5)', async () => {
  const denied = service(() => {
    throw new Problem(403, 'not_allowed', 'no');
  });
  const pending = [{ id: 'c', call: 'approvals.ask' }, { id: 'e' }];
  expect(await withQuestions(denied, order, pending)).toEqual(pending);
});
