import { expect, it } from 'vitest';
import { withWholeAge } from '../../src/client/explain/call-age.js';
import type { PendingCall } from '../../src/client/explain/execution.js';
import type { Wait } from '../../src/kernel/index.js';

const call = (attempt: number, since: number, name = 'shelf.put'): PendingCall => ({
  ...{ call: name, state: 'running', attempt, taskQueue: 'reeve', since },
});
const runs = (...calls: { readonly call: string; readonly since: number }[]): readonly Wait[] => [
  { ...{ kind: 'action', action: 'put', automatic: true, since: 0, attempt: 1 }, awaits: [], calls } as Wait,
];

it('a call is as old as when its action made it, however often it was executed (S5.4)', () => {
  const made = runs({ call: 'shelf.put', since: 10 });
  expect(withWholeAge([call(6, 900)], made)).toEqual([call(6, 10)]);
  // Of calls side by side, the one that was executed more often was made first.
  const two = runs({ call: 'shelf.put', since: 20 }, { call: 'shelf.put', since: 10 });
  expect(withWholeAge([call(1, 25), call(6, 900)], two)).toEqual([call(1, 20), call(6, 10)]);
  // Calls of Reeve's own are no calls of the action.
  const own = call(9, 900, 'reeve.keep');
  expect(withWholeAge([own], made)).toEqual([own]);
  expect(withWholeAge([call(1, 5)], [])).toEqual([call(1, 5)]);
});
