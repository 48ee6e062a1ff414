import { expect, it } from 'vitest';
import { workerOf } from '../../src/cli/commands/calls.js';

it('a call is matched with the nearest one of its action in the history: it names the worker (S5.1)', () => {
  const made = (second: number, worker: string, call = 'shelf.put', action = 'place') => ({
    ...{ call, action, worker, start_time: `2026-01-01T00:00:0${second}.000Z` },
  });
  const calls = [made(1, '1@a'), made(5, '2@b'), made(3, '3@c', 'shelf.take'), made(3, '4@d', 'shelf.put', 'move')];
  const row = (start_time: string) => ({ call_name: 'shelf.put', action_name: 'place', start_time });
  expect(workerOf(row('2026-01-01T00:00:01.012000Z'), calls)).toBe('1@a');
  expect(workerOf(row('2026-01-01T00:00:04.990000Z'), calls)).toBe('2@b');
  expect(workerOf({ ...row('2026-01-01T00:00:01.000Z'), call_name: 'shelf.find' }, calls)).toBeUndefined();
});
