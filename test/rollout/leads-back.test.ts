import { expect, it } from 'vitest';
import { leadsBack, type BuildStatus } from '../../src/rollout/index.js';
import { buildConcern, queueConcern } from '../../src/service/attention/concerns.js';

const build = (name: string, role: BuildStatus['role'], served: boolean, previous?: string): BuildStatus => ({
  ...{ build: name, role, served, running: 1 },
  ...(previous !== undefined && { note: { state: 'done', since: 1, previous } }),
});

it.each([
  ['the only build', build('b', 'current', false), [], false],
  ['one that follows no build', build('b', 'current', false), [build('a', 'old', true)], false],
  ['one whose build before has no workers', build('b', 'current', false, 'a'), [build('a', 'old', false)], false],
  ['one whose build before was never active', build('b', 'current', false, 'a'), [build('a', 'new', true)], false],
  ['one whose build before has workers', build('b', 'current', false, 'a'), [build('a', 'old', true)], true],
  ['a part beside the current build', build('b', 'ramping', false), [build('a', 'current', true)], true],
  ['an old one', build('b', 'old', false, 'a'), [build('a', 'current', true)], false],
] as const)('a rollback is offered only where it leads to workers: %s (Q2)', (_, status, others, expected) => {
  const all = [status, ...others];
  expect(leadsBack(status, all)).toBe(expected);
  const { what_to_do: remedy, command } = buildConcern(status, all);
  // The command fixes it: a status would only show it again.
  expect(command).toBe(expected ? 'reeve rollout undo b' : 'REEVE_BUILD=b npx reeve worker');
  expect(remedy).toContain(expected ? 'Or roll the build back' : 'Start workers of this build');
});

it('a queue whose workflows are pinned to builds needs a worker that reports its build (Q2)', () => {
  const queue = { taskQueue: 'bank', work: 'steps', waiting: 1, oldestMs: 0, workers: 0, lastAskedAt: 0 } as const;
  expect(queueConcern(queue, 1, 'b').command).toBe('REEVE_BUILD=b npx reeve worker');
  expect(queueConcern(queue, 1)).toMatchObject({ command: 'reeve worker' });
});
