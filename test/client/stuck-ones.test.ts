import { describe, expect, it } from 'vitest';
import type {
  ExplainedEntity,
  ExplainedNode,
  Explanation,
  UnreadEntity,
} from '../../src/client/explain/explanation.js';
import type { PendingCall } from '../../src/client/explain/execution.js';
import type { PendingTask } from '../../src/client/explain/pending-task.js';
import type { StarvedQueue } from '../../src/client/explain/task-queues.js';
import { stuckOnes } from '../../src/client/explain/stuck-ones.js';
import type { SuccessorStanding } from '../../src/kernel/explain/successor-standing.js';
import type { Wait } from '../../src/kernel/explain/wait.js';

function entity(name: string, waits: readonly Wait[], more: Partial<ExplainedEntity> = {}): ExplainedEntity {
  const seen = {
    kind: 'entity',
    health: 'normal',
    since: 100,
    settled: false,
    events: [],
    calls: [],
    below: [],
  } as const;
  return { ...seen, entity: name, state: 'S', waits, ...more };
}

function unread(name: string, more: Partial<UnreadEntity>): UnreadEntity {
  return { kind: 'unread', entity: name, reason: 'no_answer', calls: [], ...more };
}

/** Rests for these. */
function rests(...successors: readonly SuccessorStanding[]): Wait {
  return {
    ...{ kind: 'subscription', subscription: 's', event: 'e', pattern: 'p', used: false },
    unmet: [{ kind: 'pattern', pattern: 'p', successors }],
  };
}

const CALL: PendingCall = { call: 'shelf.put', state: 'queued', attempt: 1, taskQueue: 'q', since: 300 };
const TASK: PendingTask = {
  attempt: 7,
  since: 200,
  started: false,
  cause: 'code',
  failure: 'boom',
  remedy: 'Mend it.',
};
const QUEUE: StarvedQueue = { taskQueue: 'q', work: 'calls', waiting: 1, oldestMs: 9_000, workers: 0, silent: false };
const RUNS: Wait = { kind: 'action', action: 'a', automatic: false, since: 1, attempt: 1, awaits: [] };
const DEADLINE: Wait = { kind: 'timer', timer: 'deadline', event: 'e', at: 9 };
const elsewhere = (name: string): ExplainedNode => ({ kind: 'elsewhere', entity: name, cycle: true });
const pending = (name: string): SuccessorStanding => ({ entity: name, is: 'pending' });

interface Case {
  readonly what: string;
  readonly told: Partial<Explanation>;
  readonly stuck: readonly unknown[];
}

describe('what is stuck of all that an explanation tells (S5.4)', () => {
  it.each<Case>([
    { what: 'nothing that runs', told: { entities: [entity('T/a', [RUNS])] }, stuck: [] },
    {
      what: 'one that is pinned to a build that no worker serves (Q2)',
      told: { entities: [{ kind: 'unread', entity: 'T/a', reason: 'no_answer', calls: [], unservedBuild: 'b1' }] },
      stuck: [
        {
          ...{ who: 'T/a', reason: 'no_worker', message: "it is pinned to the build 'b1', and no worker serves that" },
          whatToDo: expect.stringContaining("Start workers of the build 'b1'"),
        },
      ],
    },
    {
      what: 'one whose attempts are used up, below one that waits for it',
      told: {
        entities: [
          entity('T/a', [rests(pending('T/b'))], {
            below: [entity('T/b', [{ kind: 'exhausted', action: 'a', since: 7, attempt: 3, attempts: 3 }])],
          }),
        ],
      },
      stuck: [{ who: 'T/b', reason: 'exhausted', since: 7, whatToDo: expect.stringContaining("'reeve retry T/b'") }],
    },
    {
      what: 'one whose task fails again and again',
      told: { entities: [unread('T/a', { reason: 'failed', task: TASK })] },
      stuck: [
        {
          who: 'T/a',
          reason: 'task_fails',
          since: 200,
          message: 'its workflow task keeps failing: boom',
          whatToDo: 'Mend it.',
        },
      ],
    },
    {
      what: 'none whose task has failed only once',
      told: { entities: [entity('T/a', [RUNS], { task: { ...TASK, attempt: 2 } })] },
      stuck: [],
    },
    {
      what: 'one whose task a worker has taken and not completed: nothing has failed',
      told: {
        entities: [
          unread('T/a', {
            task: { ...TASK, ...{ attempt: 2, cause: 'timed_out', withinMs: 10_000, worker: '7@host' } },
          }),
        ],
      },
      stuck: [
        {
          ...{ who: 'T/a', reason: 'no_worker', since: 200, whatToDo: 'Mend it.' },
          message: 'no worker has finished its task within 10 s: 7@host is busy, frozen or gone',
        },
      ],
    },
    {
      what: 'an operation whose task fails again and again',
      told: { operation: { kind: 'unread', id: 'op-1', startedAt: 1, task: TASK } },
      stuck: [{ who: 'operation op-1', reason: 'task_fails' }],
    },
    {
      what: 'one whose step no worker takes',
      told: { entities: [unread('T/a', { task: { attempt: 1, since: 50, started: false } })] },
      stuck: [
        { who: 'T/a', reason: 'no_worker', since: 50, whatToDo: expect.stringMatching(/^Start a worker that serves /) },
      ],
    },
    { what: 'none that rests while no worker is there', told: { entities: [unread('T/a', {})] }, stuck: [] },
    {
      what: 'one whose call no worker serves',
      told: { entities: [entity('T/a', [RUNS], { calls: [CALL] })], starved: [QUEUE] },
      stuck: [{ who: 'T/a', reason: 'no_worker', since: 300, whatToDo: expect.stringContaining("'q'") }],
    },
    {
      what: 'one of a build whose worker is frozen',
      told: {
        entities: [unread('T/a', { unservedBuild: 'b7' })],
        starved: [{ ...QUEUE, work: 'steps', frozen: ['7@host'] }],
      },
      stuck: [
        {
          ...{ who: 'T/a', reason: 'no_worker' },
          message:
            "it is pinned to the build 'b7', and no worker serves that: 7@host is frozen: a signal or a debugger has stopped it, and it does nothing",
          whatToDo: 'Continue it: kill -CONT 7. Everything then continues automatically.',
        },
      ],
    },
    {
      what: 'one whose call waits for a frozen worker',
      told: { entities: [entity('T/a', [RUNS], { calls: [CALL] })], starved: [{ ...QUEUE, frozen: ['7@host'] }] },
      stuck: [
        {
          ...{ who: 'T/a', reason: 'no_worker', since: 300 },
          message:
            "its call shelf.put is queued, and no worker serves the task queue 'q': 7@host is frozen: a signal or a debugger has stopped it, and it does nothing",
          whatToDo: 'Continue it: kill -CONT 7. Everything then continues automatically.',
        },
      ],
    },
    {
      what: 'none whose call waits for busy workers',
      told: { entities: [entity('T/a', [RUNS], { calls: [CALL] })], starved: [{ ...QUEUE, workers: 2 }] },
      stuck: [],
    },
    {
      what: 'one whose call somebody has paused',
      told: { entities: [entity('T/a', [RUNS], { calls: [{ ...CALL, state: 'paused' }] })] },
      stuck: [{ who: 'T/a', reason: 'call_paused', since: 300 }],
    },
    {
      what: 'one whose call is made again and again, since its workers were lost',
      told: {
        entities: [
          entity('T/a', [RUNS], { calls: [{ ...CALL, state: 'retrying', attempt: 5, lastFailure: 'not registered' }] }),
        ],
      },
      stuck: [{ who: 'T/a', reason: 'call_repeats', message: expect.stringContaining('not registered') }],
    },
    {
      what: 'none that brings its rows to a store that is away',
      told: {
        entities: [entity('T/a', [RUNS], { calls: [{ ...CALL, call: 'reeve.keep', state: 'retrying', attempt: 9 }] })],
      },
      stuck: [],
    },
    {
      what: 'one that cannot come to be without the store',
      told: { entities: [unread('T/a', { reason: 'unborn', since: 80 })] },
      stuck: [{ who: 'T/a', reason: 'no_store', since: 80, whatToDo: expect.stringContaining("'reeve doctor'") }],
    },
    {
      what: 'one that rests for a lost successor',
      told: { entities: [entity('T/a', [rests({ entity: 'T/b', is: 'lost' }), { kind: 'lost', successor: 'T/b' }])] },
      stuck: [{ who: 'T/a', reason: 'dead_end', since: 100 }],
    },
    {
      what: 'one that rests for a successor which has failed for good',
      told: {
        entities: [
          entity('T/a', [rests({ entity: 'T/b', is: 'settled', state: 'Failed', health: 'error' })], {
            below: [entity('T/b', [], { settled: true, health: 'error' })],
          }),
        ],
      },
      stuck: [{ who: 'T/a', reason: 'dead_end' }],
    },
    {
      what: 'none that rests for a successor which a timer moves',
      told: {
        entities: [
          entity('T/a', [rests({ entity: 'T/b', is: 'settled', state: 'Failed', health: 'error' })], {
            below: [entity('T/b', [DEADLINE], { settled: true, health: 'error' })],
          }),
        ],
      },
      stuck: [],
    },
    {
      what: 'a circle of entities that rest for each other',
      told: {
        entities: [
          entity('T/a', [rests(pending('T/b'))], {
            below: [entity('T/b', [rests(pending('T/a'))], { since: 150, below: [elsewhere('T/a')] })],
          }),
        ],
      },
      stuck: [{ who: 'T/a', reason: 'deadlock', since: 150, message: expect.stringContaining('T/a, T/b, T/a') }],
    },
    {
      what: 'no circle that a deadline ends',
      told: {
        entities: [
          entity('T/a', [rests(pending('T/b'))], {
            below: [entity('T/b', [rests(pending('T/a')), DEADLINE], { below: [elsewhere('T/a')] })],
          }),
        ],
      },
      stuck: [],
    },
    {
      what: 'nothing of an operation that has ended',
      told: {
        operation: {
          ...{ kind: 'ended', id: 'op-1', name: 'n', outcome: 'failed', startedAt: 1, endedAt: 2, errors: [] },
        },
      },
      stuck: [],
    },
  ])('is $what', ({ told, stuck }) => {
    const found = stuckOnes({ at: 1_000, entities: [], starved: [], ...told });
    expect(found).toMatchObject(stuck);
    expect(found.map(({ since }) => since)).not.toContain(0);
    expect(stuckOnes({ at: 1_000, entities: [], starved: [], ...told })).toHaveLength(stuck.length);
  });
});
