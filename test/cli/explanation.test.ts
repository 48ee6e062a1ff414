import { describe, expect, it } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import { callLine } from '../../src/cli/explanation/service-words.js';
import { formatExplanation } from '../../src/cli/explanation/view.js';
import type { PendingCall } from '../../src/client/explain/execution.js';
import type { ExplainedEntity, ExplainedOperation, Explanation } from '../../src/client/explain/explanation.js';
import type { Wait } from '../../src/kernel/explain/wait.js';

const NOW = 1_000_000;
const ago = (seconds: number) => NOW - seconds * 1_000;
const ahead = (seconds: number) => NOW + seconds * 1_000;

function entity(name: string, state: string, waits: readonly Wait[], more: Partial<ExplainedEntity> = {}) {
  const seen = { kind: 'entity', health: 'normal', since: ago(12), settled: false, events: [], calls: [] } as const;
  return { ...seen, entity: name, state, waits, below: [], ...more } satisfies ExplainedEntity;
}

/** As it is read, without colours. */
function lines(explanation: Partial<Explanation>): readonly string[] {
  const text = formatExplanation({ at: NOW, entities: [], starved: [], stuck: [], ...explanation });
  return stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd());
}

const lost = { kind: 'retryable', code: 'disk_full', message: 'No space is left.' } as const;
const failure = { ...lost, at: ago(180), operation: 'op-1' };

const waits = (wait: Wait) =>
  lines({ entities: [entity('Box/x', 'S', [wait])] })
    .slice(1)
    .map((line) => line.trim());

describe('an explanation for people (S5.4)', () => {
  it('says that the code of an action waits for nothing that Reeve knows (S5.4, S1.5a)', () => {
    const wait = { kind: 'action', action: 'put', automatic: true, since: ago(60), attempt: 1, awaits: [] } as const;
    const unknown = 'its code waits for something outside of Reeve: no call, entity or callback is pending';
    expect(waits(wait)).toEqual(['runs put for 1 min, attempt 1', unknown]);
    expect(waits({ ...wait, since: ago(1) })).not.toContain(unknown);
    expect(waits({ ...wait, calls: [{ call: 'shelf.put', since: ago(60) }] })).not.toContain(unknown);
  });

  it('says why an entity is in an error state, unless what it waits for says this (S5.4)', () => {
    const failed = entity('Box/x', 'Lost', [], { health: 'error', settled: true, failure });
    expect(lines({ entities: [failed] }).slice(1)).toEqual([
      '     has settled',
      '     failed 3 min ago: disk_full: No space is left. (operation op-1)',
    ]);
    const exhausted: Wait = {
      ...{ kind: 'exhausted', action: 'put', since: ago(180), attempt: 4, attempts: 4, lastError: lost },
    };
    const gaveUp = entity('Box/x', 'Placing', [exhausted], { health: 'error', settled: true, failure });
    expect(lines({ entities: [gaveUp] }).join('\n')).not.toContain('failed 3 min ago');
    const led = entity('Room/r', 'Failed', [{ kind: 'failed', successor: 'Box/x' }], {
      ...{
        health: 'error',
        settled: true,
        enteredIn: 'op-1',
        below: [failed],
        causes: [
          {
            kind: 'retryable',
            entity: 'Box/x',
            event: 'place',
            engagement: 'op-1',
            code: 'disk_full',
            message: 'No space is left.',
          },
        ],
      },
    });
    expect(lines({ entities: [led] }).slice(1)).toEqual([
      '  │  has settled',
      '  │  because of Box/x: disk_full: No space is left.',
      "  │  'reeve operations show op-1' shows how it came there",
      '  │  Box/x has failed',
      expect.stringMatching(/^✖ └─ Box\/x +Lost/) as string,
      '        has settled',
      '        failed 3 min ago: disk_full: No space is left. (operation op-1)',
    ]);
  });

  it('names who has refused to cancel an operation, when and why (S4.7, S5.4)', () => {
    const running: ExplainedOperation = {
      ...{ kind: 'operation' as const, id: 'op-1', name: 'create Box/a' },
      ...{ outcome: 'running' as const, cancel: 'refused' as const, startedAt: ago(200) },
      ...{ hung: false, interruptions: [], errors: [], participants: 1, waitingRaises: [], open: [] },
      refusals: [{ entity: 'Box/a', event: 'stop', code: 'not_valid', message: 'It cannot stop now.', at: ago(180) }],
    };
    expect(lines({ operation: running }).slice(2, 4)).toEqual([
      '  cancel was refused',
      '    Box/a refused stop 3 min ago: not_valid: It cannot stop now.',
    ]);
  });

  it('is a tree from the operation down to attempts, errors and next tries (S5.4)', () => {
    const lastError = { kind: 'retryable', code: 'provider_down', message: 'no answer' } as const;
    const box = entity('SqlApplication/orders', 'Creating', [
      { kind: 'attempt', action: 'install', at: ahead(3), attempt: 3, attempts: 5, lastError },
    ]);
    const record = entity(
      'DnsRecord/orders',
      'Creating',
      [{ kind: 'action', action: 'publish', automatic: true, since: ago(4), attempt: 1, attempts: 5, awaits: [] }],
      { calls: [{ call: 'names.publish', state: 'queued', attempt: 1, taskQueue: 'reeve', since: ago(4) }] },
    );
    const server = entity(
      'LogicalServer/orders',
      'CreatingResources',
      [
        {
          ...{ kind: 'subscription', subscription: 'ready', event: 'resourcesReady', used: false },
          pattern: 'all SqlApplication in Ready and all Alias in Ready',
          unmet: [
            {
              ...{ kind: 'pattern', pattern: 'all SqlApplication in Ready' },
              successors: [{ entity: 'SqlApplication/orders', is: 'pending' }],
            },
            { kind: 'pattern', pattern: 'all Alias in Ready', successors: [] },
          ],
        },
      ],
      { events: [{ event: 'create', operation: 'op-1', since: ago(12) }], below: [box, record] },
    );
    const operation: ExplainedOperation = {
      ...{ kind: 'operation' as const, id: 'op-1', name: 'create LogicalServer/orders' },
      ...{ outcome: 'running' as const, cancel: 'none' as const, startedAt: ago(12) },
      ...{ hung: false, interruptions: [], errors: [], participants: 1, waitingRaises: [] },
      open: [{ entity: 'LogicalServer/orders', events: [], judgements: 0 }],
    };
    expect(lines({ operation, entities: [server] })).toEqual([
      'create LogicalServer/orders: running for 12 s',
      '  waits for 1 entity',
      '',
      '● LogicalServer/orders              CreatingResources  for 12 s',
      '  │  create, for 12 s',
      '  │  waits for resourcesReady: all SqlApplication in Ready and all Alias in Ready',
      '  │    not met: all SqlApplication in Ready: SqlApplication/orders has not settled',
      '  │    not met: all Alias in Ready: there is none yet',
      '↻ ├─ SqlApplication/orders          Creating  for 12 s',
      '  │     next try of install in 3 s (attempt 3 of 5)',
      '  │       last error provider_down: no answer',
      '● └─ DnsRecord/orders               Creating  for 12 s',
      '        runs publish for 4 s, attempt 1 of 5',
      '        waits for names.publish, queued in reeve for 4 s: no worker has taken it',
    ]);
  });

  it.each<{ says: string; wait: Wait }>([
    {
      says: 'reserved by Clerk/one while its action runs (operation op-r); the lease ends in 30 s',
      wait: { kind: 'reserved', by: 'Clerk/one', operation: 'op-r', hold: 'action', until: ahead(30) },
    },
    {
      says: 'put waits behind the reservation by Clerk/one (operation op-p)',
      wait: { kind: 'event', event: 'put', operation: 'op-p', behind: 'the reservation by Clerk/one' },
    },
    {
      says: 'has given up put after attempt 4 of 4',
      wait: { kind: 'exhausted', action: 'put', since: ago(1), attempt: 4, attempts: 4 },
    },
    { says: 'put runs in 2 min (attempt 1)', wait: { kind: 'attempt', action: 'put', at: ahead(120), attempt: 1 } },
    {
      says: 'next try of put due for 7 s (attempt 2)',
      wait: { kind: 'attempt', action: 'put', at: ago(7), attempt: 2 },
    },
    {
      says: 'raises tick in 1 h (interest, each 2h)',
      wait: { kind: 'timer', timer: 'interest', event: 'tick', at: ahead(3_600), period: 7_200_000 },
    },
    {
      says: 'Box/a is lost: it ended without a report, so nothing waits for it',
      wait: { kind: 'lost', successor: 'Box/a' },
    },
    {
      says: 'runs nod again in 1 s, after a deadlock',
      wait: { kind: 'postponed', action: 'nod', at: ahead(1) },
    },
  ])('says: $says', ({ says, wait }) => {
    expect(waits(wait)).toEqual([says]);
  });

  it('says what is stuck, since when and what to do, and that its operation is (S5.4)', () => {
    const operation: ExplainedOperation = {
      ...{ kind: 'operation' as const, id: 'op-1', name: 'create Room/a', outcome: 'running' as const },
      ...{ cancel: 'none' as const, startedAt: ago(60), hung: true, budgetMs: 30_000, interruptions: [], errors: [] },
      ...{ participants: 1, waitingRaises: [], open: [{ entity: 'Box/x', events: [], judgements: 0 }] },
    };
    const message = "all attempts of 'put' are used up";
    const stuck = { who: 'Box/x', since: ago(30), reason: 'exhausted', message, whatToDo: 'Mend it.' } as const;
    const waited = [{ kind: 'exhausted', action: 'put', since: ago(30), attempt: 4, attempts: 4 }] as const;
    const box = entity('Box/x', 'Placing', waited, { settled: true, health: 'error' });
    expect(lines({ operation, entities: [box], stuck: [stuck] })).toEqual([
      'create Room/a: running for 1 min',
      '  waits for 1 entity',
      '  stuck: one of its entities is, and it does not end before a person acts',
      '  hung: its budget is 30s',
      '',
      '✖ Box/x                             Placing  for 12 s',
      "     stuck for 30 s: all attempts of 'put' are used up",
      '       Mend it.',
      '     has given up put after attempt 4 of 4',
    ]);
  });

  it('says for whom an action waits, and how long at most (S5.4)', () => {
    const awaits = [
      { kind: 'event', event: 'put', on: 'Account/a', until: ahead(3_600) },
      { kind: 'reservation', on: 'Account/b', until: ahead(60) },
    ] as const;
    const wait = { kind: 'action', action: 'transfer', automatic: false, since: ago(1), attempt: 1, awaits } as const;
    expect(waits(wait)).toEqual([
      'runs transfer for 1 s',
      'waits until put has settled on Account/a, 1 h at most',
      'waits to reserve Account/b, 1 min at most',
    ]);
  });

  it('says that no worker serves a task queue, and what was seen last (S5.4)', () => {
    const queue = { taskQueue: 'reeve', work: 'calls', waiting: 2, oldestMs: 18_000, silent: true } as const;
    const unread = { kind: 'unread', entity: 'Box/x', reason: 'no_answer', state: 'Placing', calls: [] } as const;
    expect(lines({ starved: [{ ...queue, workers: 0, lastAskedAt: ago(90) }], entities: [unread] })).toEqual([
      'no worker serves the task queue reeve: 2 calls waiting, the oldest for 18 s; one last asked for calls 1 min 30 s ago',
      '',
      '✖ Box/x                             Placing when last seen; no worker answers for it',
    ]);
    expect(lines({ starved: [{ ...queue, workers: 2, silent: false, lastAskedAt: ago(1) }] })).toEqual([
      'the workers do not keep up with the task queue reeve: 2 calls waiting, the oldest for 18 s; one last asked for calls 1 s ago',
    ]);
    expect(lines({ starved: [{ ...queue, workers: 0, lastAskedAt: ago(1), frozen: ['7@host'] }] })).toEqual([
      'no worker serves the task queue reeve: 2 calls waiting, the oldest for 18 s; 7@host is frozen: a signal or a debugger has stopped it, and it does nothing',
    ]);
    expect(lines({ starved: [{ ...queue, workers: 1, waiting: 0 }] })).toEqual([
      'no worker answers on the task queue reeve: none has asked for calls lately',
    ]);
  });

  it('names the worker that makes a call, and the one that was lost (S5.4)', () => {
    const made = { call: 'names.publish', taskQueue: 'reeve', since: ago(180), worker: '4203@host' } as const;
    const words = (call: Partial<PendingCall>) =>
      stripVTControlCharacters(callLine({ ...made, state: 'running', attempt: 1, ...call }, NOW));
    expect(words({ startedAt: ago(120), heartbeatAt: ago(2) })).toBe(
      'waits for names.publish, running on 4203@host for 2 min, heartbeat 2 s ago',
    );
    expect(words({ state: 'canceling', startedAt: ago(4) })).toBe(
      'waits for names.publish, being canceled on 4203@host, begun 4 s ago',
    );
    expect(words({ state: 'retrying', attempt: 2, nextAttemptAt: ahead(3) })).toBe(
      'waits for names.publish, made again in 3 s, execution 2 since the one before, on 4203@host, gave no answer',
    );
  });

  it('says that a circle of waiting is one, and that code fails again and again (S5.4)', () => {
    const circle = { kind: 'elsewhere', entity: 'Clerk/a', cycle: true } as const;
    const task = {
      ...{ attempt: 6, since: ago(40), started: true },
      ...({ cause: 'nondeterminism', failure: 'no such command', remedy: 'Put back the code.' } as const),
    };
    expect(lines({ entities: [entity('Clerk/a', 'Idle', [], { below: [circle], task })] })).toEqual([
      '● Clerk/a                           Idle  for 12 s',
      '  │  its task has failed 5 times for 40 s: no such command',
      '  │    Put back the code.',
      '· └─ Clerk/a                        listed above: a deadlock',
    ]);
  });

  it('says of a task that timed out that its worker is busy, frozen or gone, once, and of no failure (S5.4)', () => {
    const task = {
      ...({ attempt: 2, since: ago(25), started: false, cause: 'timed_out', withinMs: 10_000 } as const),
      ...({ worker: '7@host', remedy: 'Continue or end that process.' } as const),
    };
    const frozen = { kind: 'unread', entity: 'Box/x', reason: 'no_answer', calls: [], task } as const;
    const words = 'no worker has finished its task within 10 s: 7@host is busy, frozen or gone';
    expect(lines({ entities: [frozen] }).slice(1)).toEqual([
      `     ${words} (1 time for 25 s)`,
      '       Continue or end that process.',
    ]);
    const stuck = { who: 'Box/x', since: ago(25), reason: 'no_worker', message: words, whatToDo: task.remedy } as const;
    expect(lines({ entities: [frozen], stuck: [stuck] }).slice(1)).toEqual([
      `     stuck for 25 s: ${words}`,
      '       Continue or end that process.',
    ]);
  });
});
