import { describe, expect, it } from 'vitest';
import { type NextStep, takeStep } from '../../src/kernel/turns/next.js';
import { LOOK_DISTANCE } from '../../src/kernel/rules/look-distance.js';
import { reserve } from '../../src/kernel/reservations/reservation.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { clerk } from '../entities/bank-workflows.js';
import { Account } from '../entities/bank.js';
import { Puppet } from '../support/entities.js';
import { LoneEntity } from '../support/lone-entity.js';

const DUE = 5_000;
const LATER = 9_000;
const HOUR = 3_600_000;
const asks = (wait: string) => ({
  ...({ kind: 'reserve', wait, from: { type: 'Clerk', key: wait, life: 'l' } } as const),
  ...({ operation: 'op', leaseMs: 1_000, hold: 'action', until: 100_000 * HOUR } as const),
});
const pending: Successor = {
  ...{ type: 'Child', key: 'c', operation: 'op', position: '1.1', request: 'r', event: 'pending', version: 0 },
};
const put: RaiseRequest = { id: 'put', event: 'put', params: { amount: 1 } };

/** An account that is asked for a reservation at some time, and looked at later. */
function account(more: Partial<Snapshot>, askedAt: number): Puppet {
  const puppet = new Puppet(Account);
  puppet.raise('open');
  puppet.end('Open');
  puppet.raise('count');
  puppet.end('Counting');
  const { nextAttemptAt: _, ...counting } = puppet.snapshot;
  const snapshot: Snapshot = { ...counting, state: 'Open', ticks: { interest: HOUR }, ...more };
  puppet.apply(reserve(Account, snapshot, asks('one'), askedAt));
  puppet.now = LATER;
  return puppet;
}

/** Takes the next step, and ends its action if that is one. Returns what it was. */
function go(puppet: Puppet, result: Parameters<Puppet['end']>[1] = {}): NextStep['kind'] {
  const { kind } = puppet.next();
  if (kind === 'rest' || kind === 'closed' || kind === 'action') throw new Error(`nothing is next, but: ${kind}`);
  puppet.apply(takeStep(Account, puppet.snapshot, kind, puppet.now));
  if (puppet.snapshot.running) puppet.end(undefined, result);
  return kind;
}

/** The steps that an entity has to take itself from `DUE` on. */
const own: readonly [NextStep['kind'], Partial<Snapshot>][] = [
  ['automatic', { state: 'Counting', nextAttemptAt: DUE }],
  // A newer declaration has made the state unstable.
  ['automatic', { state: 'Counting', enteredAt: DUE }],
  ['timer', { ticks: { interest: DUE } }],
  ['subscriptions', { rearm: { at: DUE, failures: 1 } }],
  ['look', { successors: [pending], look: { since: DUE - LOOK_DISTANCE.firstMs, count: 0 } }],
];

describe('what an entity has to do itself, and a reservation', () => {
  it.each(own)('what came first goes first: %s (S3.6, reservation.1)', (kind, due) => {
    const next = (askedAt: number) => account(due, askedAt).next().kind;
    expect([next(DUE - 1), next(DUE), next(DUE + 1)]).toEqual(['reservation', 'reservation', kind]);
  });

  it('all that came first goes first, in the order in which it was due, each once (S3.6, reservation.1)', () => {
    const more = { state: 'Counting', enteredAt: 0, nextAttemptAt: DUE + 1, rearm: { at: DUE, failures: 1 } };
    const puppet = account({ ...more, ticks: { interest: DUE + 2 } }, DUE + 3);
    // The action is due again at once.
    const steps = [1, 2, 3, 4].map(() => go(puppet, { waitMs: 0 }));
    expect(steps).toEqual(['subscriptions', 'automatic', 'timer', 'reservation']);
    expect(puppet.snapshot.reservation).toMatchObject({ wait: 'one' });
  });

  it('only what came first goes first, whatever the order of the kinds is otherwise (S3.6, reservation.1)', () => {
    const late = { ticks: { interest: DUE + 1 }, rearm: { at: DUE + 2, failures: 1 } };
    const puppet = account({ state: 'Counting', nextAttemptAt: DUE, ...late }, DUE + 1);
    expect([go(puppet), go(puppet)]).toEqual(['automatic', 'reservation']);
  });

  it('goes between two reservations: neither keeps the other one out (S3.6, reservation.1)', () => {
    const puppet = account({ state: 'Counting', nextAttemptAt: LATER }, DUE);
    const turns: string[] = [];
    for (let round = 1; round <= 2; round++) {
      turns.push(go(puppet));
      puppet.now += 500;
      puppet.apply(reserve(Account, puppet.snapshot, asks(`again-${round}`), puppet.now));
      puppet.now += 500;
      turns.push(go(puppet), go(puppet, { waitMs: 0 }));
    }
    const round = ['reservation', 'reservation', 'automatic'];
    expect(turns).toEqual([...round, ...round]);
    expect(puppet.snapshot.reservers.map(({ wait }) => wait)).toEqual(['again-2']);
  });

  it('waits for the events that came before the reservation, and those that came later for both (S2.4, S3.6, reservation.1)', () => {
    const due = { state: 'Counting', nextAttemptAt: DUE };
    expect(account({ ...due, waiting: [put] }, DUE + 1).next().kind).toBe('event');
    const puppet = account(due, DUE + 1);
    puppet.snapshot = { ...puppet.snapshot, waiting: [put] };
    expect([go(puppet), go(puppet)]).toEqual(['automatic', 'reservation']);
    expect(puppet.snapshot.waiting).toEqual([put]);
  });

  it('is nothing where the attempts are used up, the state ends it, or an action is to run again (S1.3, S3.6)', () => {
    const due = { state: 'Counting', nextAttemptAt: DUE, ticks: { interest: HOUR } };
    const next = (more: Partial<Snapshot>) => account({ ...due, ...more }, DUE + 1).next().kind;
    const running = { action: 'count', kind: 'automatic', startedAt: 1 } as const;
    expect(next({ exhausted: true })).toBe('reservation');
    expect(next({ state: 'Closed', rearm: { at: DUE, failures: 1 } })).toBe('reservation');
    expect(next({ postponed: { running, at: LATER + 1, entry: 0 } })).toBe('reservation');
  });

  it('does not begin while the entity is reserved, however early it was due (S3.6, reservation.2)', () => {
    const puppet = account({ state: 'Counting', nextAttemptAt: DUE }, DUE);
    expect(go(puppet)).toBe('reservation');
    puppet.apply(reserve(Account, puppet.snapshot, asks('two'), LATER));
    expect(puppet.next()).toEqual({ kind: 'rest', until: LATER + 1_000 });
  });
});

describe('an action that goes before a reservation', () => {
  it('learns that it waits for the one that has asked for it (S3.6, S3.8, circle.1)', async () => {
    const entity = new LoneEntity(clerk, { kind: 'create', key: 'k' });
    await entity.raise({ id: 'swap-id', event: 'swap', params: { other: 'z' } });
    await entity.hear({ ...asks('r'), from: { type: 'Clerk', key: 'z', life: 'life-z' } });
    const { wait } = entity.snapshot.running!.awaits![0]!;
    expect(entity.taken()).toMatchObject([
      { kind: 'reserve', wait },
      {
        kind: 'probe',
        wait: 'r',
        path: [
          { on: 'Clerk/k', id: 'r' },
          { on: 'Clerk/z', kind: 'reservation', id: wait },
        ],
      },
    ]);
  });
});
