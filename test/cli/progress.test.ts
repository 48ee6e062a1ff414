import { expect, it } from 'vitest';
import type { Explanation, StuckOne } from '../../src/client/explain/explanation.js';
import type { Api } from '../../src/cli/api/api.js';
import { Problem } from '../../src/cli/api/problem.js';
import { followProgress } from '../../src/cli/progress.js';

const stuck: StuckOne = {
  ...{ who: 'Box/a', since: 1, reason: 'exhausted', message: 'all attempts are used up', whatToDo: 'Mend it.' },
};
const explanation: Explanation = {
  at: 1,
  operation: {
    ...{
      kind: 'operation',
      id: 'op',
      name: 'place Box/a',
      outcome: 'running',
      startedAt: 1,
      hung: true,
      cancel: 'none',
    },
    ...{ budgetMs: 30_000, interruptions: [], errors: [], participants: 1, open: [], waitingRaises: [] },
  },
  ...{ entities: [], starved: [], stuck: [stuck] },
};

it('who follows an operation is told that it is stuck or hung while it runs (S5.3, S5.4)', async () => {
  const asked: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const api: Api = {
    ask: async (_method, path) => {
      asked.push(path);
      if (path === '/api/operations/op/explanation?on=Box%2Fa') return { headers: new Headers(), body: explanation };
      throw new Problem(404, 'absent', 'There is no such thing.');
    },
    async *follow() {
      await ended;
      yield { final: true, data: { request_id: 'op', outcome: 'failed' } };
    },
  };
  const root = { type: 'Box', key: 'a' };
  for await (const progress of followProgress(api, { id: 'op', path: '/api/operations/op?on=Box%2Fa', root })) {
    if (progress.kind === 'ended') {
      expect(progress.operation.outcome).toBe('failed');
      return;
    }
    if (progress.halt.stuck.length === 0) continue;
    expect(progress.halt).toEqual({ hungMs: 30_000, stuck: [stuck] });
    end();
  }
  expect.fail('it never ended');
});

it('who follows an operation sees those that take part in it, and no other successors of theirs (S4.4)', async () => {
  const successors = [
    { entity: 'Box/past', operation: 'before' },
    { entity: 'Box/b', operation: 'op' },
  ];
  const bodies: Readonly<Record<string, unknown>> = {
    '/docs/types.json': { Room: { path: '/rooms' }, Box: { path: '/boxes' } },
    '/rooms/r': { stale: false, successors },
    '/boxes/b': { stale: false, successors: [] },
    '/boxes/past': { stale: false, successors: [] },
  };
  const api: Api = {
    ask: async (_method, path) => ({ headers: new Headers(), body: bodies[path] }),
    async *follow() {
      yield { final: true, data: { request_id: 'op', outcome: 'success' } };
    },
  };
  const root = { type: 'Room', key: 'r' };
  for await (const { kind, root: shown } of followProgress(api, { id: 'op', path: '/api/operations/op', root })) {
    expect(kind).toBe('ended');
    expect(shown.successors.map(({ name }) => name)).toEqual(['Box/b']);
  }
});
