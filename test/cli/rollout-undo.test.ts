import { expect, it } from 'vitest';
import { buildToLeave } from '../../src/cli/commands/rollout/undo.js';

const ROUTING = {
  builds: [
    { build: 'a' },
    { build: 'b', note: { state: 'done', since: 2 } },
    { build: 'c', note: { state: 'done', since: 1 } },
  ],
} as const;

it('a rollback leaves a build that exists, by default the last one that was rolled out (Q2)', () => {
  expect(buildToLeave('a', ROUTING)).toBe('a');
  expect(buildToLeave(undefined, ROUTING)).toBe('b');
  expect(() => buildToLeave('nonsense', ROUTING)).toThrow("There is no build 'nonsense'. The builds are: a, b, c.");
  expect(() => buildToLeave('nonsense', undefined)).toThrow('No worker has reported its build.');
  expect(() => buildToLeave(undefined, { builds: [] })).toThrow('nothing to roll back');
});
