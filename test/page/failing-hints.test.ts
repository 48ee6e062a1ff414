import { expect, it } from 'vitest';
import { failingHints } from '../../src/page/views/entity/failing-hints.js';

const stuck = (reason: string) => ({ reason, message: 'boom', what_to_do: 'Mend it.' });

it('an entity whose task fails has the commands that replay it and roll its build back (S5.4, Q2)', () => {
  const failing = { id: "Box/o'hare", stuck: stuck('task_fails') };
  const replay = `temporal workflow show -w 'Box/o'\\''hare' -o json > history.json && npx reeve replay history.json`;
  expect(failingHints(failing, 'b7')).toEqual([
    { says: 'Replay it on your code:', command: replay },
    { says: 'Roll b7 back:', command: 'reeve rollout undo b7' },
  ]);
  // The first task of a run has no build yet.
  expect(failingHints(failing, undefined)[1]).toMatchObject({ command: 'reeve rollout status' });
});

it('one that is stuck for another reason, or not at all, has none', () => {
  expect(failingHints({ id: 'Box/a', stuck: stuck('no_worker') }, 'b7')).toEqual([]);
  expect(failingHints({ id: 'Box/a', stuck: null }, 'b7')).toEqual([]);
});
