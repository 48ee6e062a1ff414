import { describe, expect, it } from 'vitest';
import { any } from '../../src/definition/index.js';
import { explainEntity } from '../../src/kernel/explain/explain.js';
import { successorStanding } from '../../src/kernel/explain/successor-standing.js';
import { waitedFor } from '../../src/kernel/explain/waited-for.js';
import type { Wait } from '../../src/kernel/explain/wait.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const outcome = (more: Partial<EngagementOutcome> = {}): EngagementOutcome => ({
  ...{ state: 'Placed', version: 1, health: 'normal', waiting: false },
  ...more,
});
const error = { kind: 'retryable', code: 'oops', message: 'it broke' } as const;
const rejection = { code: 'not_valid', message: 'not now', entity: 'Box/a', event: 'place' };
const bare: Successor = {
  ...{ type: 'Box', key: 'a', operation: 'op', position: '1.1', request: 'r', event: 'pending', version: 0 },
};

describe('how a successor stands (S5.4)', () => {
  const known = { entity: 'Box/a', state: 'Placed', health: 'normal' };

  it.each<[Partial<Successor>, object]>([
    [{}, { entity: 'Box/a', is: 'pending' }],
    [
      { role: 'first', event: 'accepted' },
      { entity: 'Box/a', role: 'first', is: 'accepted' },
    ],
    [{ outcome: outcome() }, { ...known, is: 'pending' }],
    [
      { missed: true, event: 'settled', outcome: outcome() },
      { ...known, is: 'missed' },
    ],
    [
      { event: 'settled', outcome: outcome() },
      { ...known, is: 'settled' },
    ],
    [
      { event: 'settled', outcome: outcome({ waiting: true }) },
      { ...known, is: 'waiting' },
    ],
    [
      { event: 'settled', outcome: outcome({ error }) },
      { ...known, is: 'settled', message: 'it broke' },
    ],
    [
      { event: 'settled', outcome: outcome({ lost: true, error }) },
      { ...known, is: 'lost', message: 'it broke' },
    ],
    [
      { event: 'rejected', outcome: outcome({ rejection, error }) },
      { entity: 'Box/a', is: 'rejected', message: 'not now' },
    ],
    [
      { event: 'rejected', missed: true },
      { entity: 'Box/a', is: 'rejected' },
    ],
  ])('%j', (more, standing) => {
    expect(successorStanding({ ...bare, ...more })).toStrictEqual(standing);
  });
});

describe('whom an entity waits for (S5.4)', () => {
  const reserved: Wait = { kind: 'reserved', by: 'Clerk/c', operation: 'op', hold: 'action', until: 9 };
  const attempt: Wait = { kind: 'attempt', action: 'a', at: 1, attempt: 1 };
  const awaits = ['Box/a', 'Box/b'].map((on) => ({ kind: 'view' as const, on, until: 9 }));
  const action: Wait = { kind: 'action', action: 'a', automatic: false, since: 1, attempt: 1, awaits };

  it('is whom its action waits for, and the holder of a reservation while nothing goes on', () => {
    expect(waitedFor([action])).toEqual(['Box/a', 'Box/b']);
    expect(waitedFor([reserved, { kind: 'timer', timer: 't', event: 'e', at: 1 }])).toEqual(['Clerk/c']);
    expect(waitedFor([reserved, attempt])).toEqual([]);
    expect(waitedFor([reserved, action, action])).toEqual(['Box/a', 'Box/b']);
  });

  it('is each successor that may move, wherever in a pattern it is named', () => {
    const standing = (
      entity: string,
      is: 'settled' | 'pending' | 'rejected' | 'lost',
      health?: 'normal' | 'error',
    ) => ({
      ...{ entity, is },
      ...(health && { health }),
    });
    const successors = [
      standing('Box/pending', 'pending'),
      standing('Box/rejected', 'rejected'),
      standing('Box/lost', 'lost', 'error'),
      standing('Box/well', 'settled', 'normal'),
      standing('Box/failed', 'settled', 'error'),
    ];
    const unmet: Extract<Wait, { kind: 'subscription' }>['unmet'] = [
      { kind: 'either', choices: [[{ kind: 'pattern', pattern: 'p', successors }], []] },
      { kind: 'pattern', pattern: 'q', successors: [standing('Box/other', 'pending')] },
    ];
    expect(
      waitedFor([{ kind: 'subscription', subscription: 's', event: 'e', pattern: 'p', unmet, used: false }]),
    ).toEqual(['Box/pending', 'Box/failed', 'Box/other']);
  });
});

describe('what an entity waits for, word by word (S5.4)', () => {
  const running = { action: 'begin', kind: 'event', startedAt: 5 } as const;
  const explained = (more: Partial<Snapshot>) => explainEntity(Box, { ...new Puppet(Box).snapshot, ...more });
  const action = { kind: 'action', action: 'begin', automatic: false, since: 5, attempt: 1, awaits: [] };

  it('is its action, with what that waits for', () => {
    expect(explained({ running, lastError: error })).toStrictEqual([action]);
    expect(explained({ running: { ...running, aborted: true } })).toStrictEqual([{ ...action, aborted: true }]);
    const wait = { on: 'Box/a', until: 9 };
    const event = { ...wait, kind: 'event', wait: 'w', engagement: 'e', event: 'look' } as const;
    const awaits = [event, { ...wait, kind: 'view', wait: 'v' } as const];
    expect(explained({ running: { ...running, awaits } })).toStrictEqual([
      {
        ...action,
        awaits: [
          { ...wait, kind: 'event', event: 'look' },
          { ...wait, kind: 'view' },
        ],
      },
    ]);
  });

  it('is its attempts, with the last error and without its stack', () => {
    const failing = { state: 'Placing', attempt: 2, lastError: { ...error, stack: 'at' } };
    const automatic = { ...running, action: 'put', kind: 'automatic' } as const;
    const known = { action: 'put', attempts: 4, lastError: error };
    expect(explained({ ...failing, running: automatic })).toStrictEqual([
      { ...action, ...known, automatic: true, attempt: 2 },
    ]);
    expect(explained({ ...failing, nextAttemptAt: 7 })).toStrictEqual([
      { ...known, kind: 'attempt', at: 7, attempt: 3 },
    ]);
    expect(explained({ ...failing, exhausted: true, exhaustedAt: 9, nextAttemptAt: 7 })).toStrictEqual([
      { ...known, kind: 'exhausted', since: 9, attempt: 2 },
    ]);
    expect(explained(failing)).toStrictEqual([]);
    const endless = explained({ state: 'Clearing', nextAttemptAt: 7 });
    expect(endless).toStrictEqual([{ kind: 'attempt', action: 'clear', at: 7, attempt: 1 }]);
  });

  it('is what has come and waits, under its operation', () => {
    const waiting = [
      { id: 'a', event: 'look' },
      { id: 'b', event: 'look', operation: 'op' },
    ];
    expect(explained({ waiting })).toStrictEqual([
      { kind: 'event', event: 'look', operation: 'a' },
      { kind: 'event', event: 'look', operation: 'op' },
    ]);
    const behind = explained({ waiting, running });
    expect(behind.slice(1)).toMatchObject([{ behind: 'begin' }, { behind: 'begin' }]);
  });

  it('is nothing of its subscriptions while an action runs, where it does not rest, or where they cannot fire', () => {
    const room = new Puppet(Room).snapshot;
    const kinds = (more: Partial<Snapshot>) => explainEntity(Room, { ...room, ...more }).map(({ kind }) => kind);
    expect(kinds({ state: 'Waiting' })).toEqual(['subscription', 'subscription']);
    expect(kinds({ state: 'Waiting', running })).toEqual(['action']);
    expect(kinds({ state: 'Ready' })).toEqual([]);
    const when = any({ of: Box, is: 'failed' });
    const elsewhere = {
      ...Room,
      subscriptions: { placed: { when, raise: 'boxesPlaced' }, other: { when, raise: 'empty' } },
    };
    expect(explainEntity(elsewhere, { ...room, state: 'Waiting' })).toMatchObject([{ subscription: 'placed' }]);
    const [wait] = explainEntity(Room, { ...room, state: 'Waiting', used: ['placed'], rearm: { at: 9, failures: 1 } });
    // The match has gone meanwhile.
    expect(wait).toMatchObject({ subscription: 'placed', used: false });
    expect(wait).not.toHaveProperty('again');
  });

  it('is an action that is to run again, beside the state of which it is', () => {
    const postponed = { running, at: 9, entry: 0 };
    const job = { ...new Puppet(Job).snapshot, state: 'Working', nextAttemptAt: 7, postponed };
    expect(explainEntity(Job, job).map(({ kind }) => kind)).toEqual(['postponed', 'attempt']);
  });
});
