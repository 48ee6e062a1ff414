import { expect, it } from 'vitest';
import { rolledBack } from '../../src/rollout/rollout.js';

it('a rollback has its own time, which an interruption does not change (Q2)', () => {
  const begun = rolledBack({ state: 'rolling', since: 1 }, 'why', 5);
  expect(begun).toEqual({ state: 'rolled_back', since: 1, endedAt: 5, reason: 'why' });
  expect(rolledBack(begun, 'why', 9)).toEqual(begun);
  const undone = rolledBack({ state: 'done', since: 1, by: 'ada@ops-1' }, 'why', 5, 'ben@ops-2');
  expect(undone).toMatchObject({ by: 'ada@ops-1', endedBy: 'ben@ops-2' });
  expect(rolledBack(undone, 'why', 9, 'cas@ops-1')).toEqual(undone);
  expect(rolledBack({ state: 'rolled_back', since: 1 }, 'why', 9)).not.toHaveProperty('endedAt');
});
