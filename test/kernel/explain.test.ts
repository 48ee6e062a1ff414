import { describe, expect, it } from 'vitest';
import { and, any, atLeast, all, none, not, or } from '../../src/definition/index.js';
import type { Predicate } from '../../src/definition/predicate.js';
import { explainEntity } from '../../src/kernel/explain/explain.js';
import { recordedWaits } from '../../src/kernel/explain/recorded-waits.js';
import { unmetParts } from '../../src/kernel/explain/unmet.js';
import { waitedFor } from '../../src/kernel/explain/waited-for.js';
import type { Wait } from '../../src/kernel/explain/wait.js';
import { hear } from '../../src/kernel/turns/hear.js';
import { postpone } from '../../src/kernel/actions/postpone.js';
import { turnReservation } from '../../src/kernel/reservations/reservation.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { EntityRef } from '../../src/protocol/names.js';
import type { Awaited, Successor } from '../../src/protocol/snapshot.js';
import { Account, Clerk } from '../entities/bank.js';
import { Box, Room } from '../entities/box.js';
import { Lease } from '../entities/lease.js';
import { Node } from '../entities/node.js';
import { Puppet } from '../support/entities.js';

const explain = (puppet: Puppet): readonly Wait[] => explainEntity(puppet.entity, puppet.snapshot);
const owner = { type: 'Clerk', key: 'one', life: 'life-one' };

/** A room that rests for its boxes. */
function room(...boxes: readonly string[]): Puppet {
  const puppet = new Puppet(Room);
  puppet.raise('furnish', { boxes });
  puppet.end('Furnishing');
  puppet.startAutomatic();
  const raises = boxes.map((key) => ({
    ...{ to: { type: 'Box', key }, creates: true, judges: true },
    request: { id: `order-${key}`, event: 'place' },
  }));
  puppet.end('Waiting', { raises });
  return puppet;
}

const settled = (state: string, more: Partial<EngagementOutcome> = {}): EngagementOutcome => ({
  ...{ state, version: 2, health: 'normal', waiting: false },
  ...more,
});

function report(puppet: Puppet, key: string, outcome: EngagementOutcome): void {
  const from = { type: 'Box', key, life: `life-${key}` };
  puppet.report({ kind: 'report', from, toLife: 'life-1', version: 2, outcome, ended: [`order-${key}`] });
}

describe('what an entity waits for (S5.4)', () => {
  it('is the answer from outside that leads out of its state, until its action runs (S1.5, S5.4)', () => {
    const machine = new Puppet(Node);
    machine.raise('deploy', { image: 'i' });
    machine.end('Deploying');
    machine.startAutomatic();
    machine.end('WaitCallback');
    const { enteredAt: since } = machine.snapshot;
    expect(explain(machine)).toMatchObject([
      { kind: 'answer', event: 'written', since },
      { kind: 'timer', event: 'timedOut' },
    ]);
    expect(recordedWaits(Node, machine.snapshot)).toContainEqual({ kind: 'answer', on: 'written', since });
    machine.raise('look', {});
    expect(explain(machine)).toMatchObject([{ kind: 'action', action: 'look' }, { kind: 'timer' }]);
  });

  it('is the action that runs, with its attempt and the error before it (S5.4)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'l' });
    expect(explain(box)).toEqual([
      { kind: 'action', action: 'begin', automatic: false, since: 1_000, attempt: 1, awaits: [] },
    ]);
    box.end('Placing');
    box.startAutomatic();
    box.throws('shelf_full');
    box.pass();
    box.startAutomatic();
    expect(explain(box)).toEqual([
      {
        ...{ kind: 'action', action: 'put', automatic: true, since: 1_100, attempt: 2, attempts: 4, awaits: [] },
        lastError: { kind: 'retryable', code: 'shelf_full', message: 'shelf_full' },
      },
    ]);
  });

  it('is the next attempt, with its time and its number (S5.4)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'l' });
    box.end('Placing');
    expect(explain(box)).toMatchObject([{ kind: 'attempt', action: 'put', at: 1_000, attempt: 1, attempts: 4 }]);
    box.startAutomatic();
    box.throws('shelf_full');
    expect(explain(box)).toMatchObject([
      { kind: 'attempt', action: 'put', at: 1_100, attempt: 2, attempts: 4, lastError: { code: 'shelf_full' } },
    ]);
  });

  it('is an operator, where all attempts are used up (S5.4)', () => {
    const lease = new Puppet(Lease);
    lease.raise('request');
    lease.end('Granting');
    lease.startAutomatic();
    lease.throws('no_ground', true);
    expect(explain(lease)).toMatchObject([
      { kind: 'exhausted', action: 'grant', attempt: 1, lastError: { code: 'no_ground' } },
      { kind: 'timer', timer: 'deadline', event: 'expire' },
    ]);
  });

  it('is what the running action waits for on others (S5.4)', () => {
    const clerk = new Puppet(Clerk);
    clerk.raise('nod');
    const awaits: readonly Awaited[] = [
      { kind: 'event', wait: 'a', on: 'Account/a', event: 'put', engagement: 'e', until: 5_000 },
      { kind: 'view', wait: 'b', on: 'Account/b', until: 6_000 },
      { kind: 'reservation', wait: 'c', on: 'Account/c', hold: 'action', until: 7_000 },
    ];
    clerk.snapshot = { ...clerk.snapshot, running: { ...clerk.snapshot.running!, awaits } };
    const waits = explain(clerk);
    expect(waits).toMatchObject([
      {
        awaits: [
          { kind: 'event', event: 'put', on: 'Account/a', until: 5_000 },
          { kind: 'view', on: 'Account/b', until: 6_000 },
          { kind: 'reservation', on: 'Account/c', until: 7_000 },
        ],
      },
    ]);
    expect(waitedFor(waits)).toEqual(['Account/a', 'Account/b', 'Account/c']);
  });

  it('is the holder of a reservation, with the events and reservers behind it (S5.4)', () => {
    const account = new Puppet(Account);
    account.raise('open');
    account.end('Open');
    const reserve = (wait: string, from: typeof owner) => {
      const asked = { kind: 'reserve', wait, from, operation: `op-${wait}`, leaseMs: 1_000, hold: 'action' } as const;
      account.apply(hear(Account, account.snapshot, { ...asked, until: 100_000 }, account.now));
    };
    reserve('r', owner);
    account.apply(turnReservation(Account, account.snapshot, account.now));
    reserve('s', { ...owner, key: 'two' });
    account.raise('put', { amount: 1 });
    const waits = explain(account);
    expect(waits).toEqual([
      { kind: 'reserved', by: 'Clerk/one', operation: 'op-r', hold: 'action', until: 2_000 },
      { kind: 'reserver', by: 'Clerk/two', operation: 'op-s', until: 100_000 },
      { kind: 'event', event: 'put', operation: 'put-id', behind: 'the reservation by Clerk/one' },
      expect.objectContaining({ kind: 'timer', event: 'tick' }),
    ]);
    expect(waitedFor(waits)).toEqual(['Clerk/one']);
  });

  it('is the action behind which an event waits (S5.4)', () => {
    const account = new Puppet(Account);
    account.raise('open');
    account.raise('close');
    expect(explain(account)).toMatchObject([
      { kind: 'action', action: 'open' },
      { kind: 'event', event: 'close', operation: 'close-id', behind: 'open' },
    ]);
  });

  it('is the time at which an action runs again that had closed a circle of waiting (S5.4)', () => {
    const clerk = new Puppet(Clerk);
    clerk.raise('nod');
    clerk.apply(postpone(clerk.snapshot, ['Clerk/k', 'Clerk/z'], clerk.now));
    expect(explain(clerk)).toEqual([{ kind: 'postponed', action: 'nod', at: 1_100 }]);
  });

  it('is the unmet part of each subscription, with exactly those who keep it so (S5.4)', () => {
    const puppet = room('a', 'b', 'c');
    report(puppet, 'b', settled('Placed'));
    report(puppet, 'c', settled('Clearing', { waiting: true }));
    const waits = explain(puppet);
    expect(waits).toMatchObject([
      {
        ...{ kind: 'subscription', subscription: 'placed', event: 'boxesPlaced', used: false },
        unmet: [
          {
            kind: 'pattern',
            pattern: 'all Box in Placed',
            successors: [
              { entity: 'Box/a', is: 'pending' },
              { entity: 'Box/c', is: 'waiting', state: 'Clearing' },
            ],
          },
        ],
      },
      { kind: 'subscription', subscription: 'lost', unmet: [{ pattern: 'any Box failed' }] },
    ]);
    expect(waitedFor(waits)).toEqual(['Box/a', 'Box/c']);
  });

  it('says that no successor is there yet (S5.4)', () => {
    expect(explain(room())).toMatchObject([
      { subscription: 'placed', unmet: [{ pattern: 'all Box in Placed', successors: [] }] },
      { subscription: 'lost' },
    ]);
  });

  it('says that a match has been used up, and when it counts again (S5.4)', () => {
    const puppet = room('a');
    report(puppet, 'a', settled('Placed'));
    puppet.throws('no_door');
    expect(explain(puppet)).toMatchObject([
      { subscription: 'placed', unmet: [], used: true, again: puppet.now + 1_000 },
      { subscription: 'lost', used: false },
    ]);
  });

  it('names the successors that are lost, and waits for none of them (S5.4)', () => {
    const puppet = room('a', 'b');
    for (const _ of [1, 2]) {
      puppet.pass();
      for (const look of puppet.look()) if (look.to.key === 'a') puppet.miss(look);
    }
    expect(explain(puppet)).toContainEqual({ kind: 'lost', successor: 'Box/a' });
    expect(waitedFor(explain(puppet))).not.toContain('Box/a');
  });

  it('names the successors that have led an entity into an error state, and leads to them (S5.4)', () => {
    const puppet = room('a', 'b');
    report(puppet, 'b', settled('Placed'));
    report(puppet, 'a', settled('Lost', { health: 'error' }));
    puppet.end('Failed');
    expect(explain(puppet)).toEqual([{ kind: 'failed', successor: 'Box/a' }]);
    expect(waitedFor(explain(puppet))).toEqual(['Box/a']);
    // Where it has failed itself, that is why.
    const failure = { kind: 'defect', code: 'defect', message: 'm', at: 1, operation: 'furnish-id' } as const;
    expect(explainEntity(Room, { ...puppet.snapshot, failure })).toEqual([]);
  });

  it('is only what time will raise, once it has settled (S5.4)', () => {
    const lease = new Puppet(Lease);
    lease.raise('request');
    lease.end('Held');
    expect(explain(lease)).toEqual([
      { kind: 'timer', timer: 'inspection', event: 'inspect', at: 3_601_000, period: 3_600_000 },
      { kind: 'timer', timer: 'deadline', event: 'expire', at: 9_001_000 },
    ]);
    const box = new Puppet(Box);
    box.raise('place', { label: 'l' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    expect(explain(box)).toEqual([]);
  });
});

describe('the unmet part of a pattern (S5.4)', () => {
  const successor = (ref: EntityRef, more: Partial<Successor> = {}): Successor => ({
    ...ref,
    ...{ operation: 'op', position: '1.1', request: 'r', event: 'settled', version: 1 },
    ...more,
  });
  const ready = successor({ type: 'Box', key: 'ready' }, { outcome: settled('Placed') });
  const failed = successor({ type: 'Box', key: 'failed' }, { outcome: settled('Lost', { health: 'error' }) });
  const pending = successor({ type: 'Box', key: 'pending' }, { event: 'pending' });
  const successors = [ready, failed, pending];
  const inPlace = { of: 'Box', in: 'Placed' };

  it.each<{ pattern: string; predicate: Predicate; unmet: readonly object[] }>([
    {
      pattern: 'all names those that do not pass',
      predicate: all(inPlace),
      unmet: [{ successors: [{ entity: 'Box/failed' }, { entity: 'Box/pending' }] }],
    },
    {
      pattern: 'any names all that are meant',
      predicate: any({ of: 'Box', in: 'Elsewhere' }),
      unmet: [{ successors: [{ entity: 'Box/ready' }, { entity: 'Box/failed' }, { entity: 'Box/pending' }] }],
    },
    {
      pattern: 'at least n names those that do not pass, and counts those that do',
      predicate: atLeast(2, inPlace),
      unmet: [{ passing: 1, successors: [{ entity: 'Box/failed' }, { entity: 'Box/pending' }] }],
    },
    {
      pattern: 'none names those that pass',
      predicate: none({ is: 'failed' }),
      unmet: [{ pattern: 'none successors failed', successors: [{ entity: 'Box/failed' }] }],
    },
    {
      pattern: 'not names those that make the inner pattern appear',
      predicate: not(any({ is: 'failed' })),
      unmet: [{ pattern: 'not (any successors failed)', successors: [{ entity: 'Box/failed' }] }],
    },
    {
      pattern: 'not none names all that are meant',
      predicate: not(none({ of: 'Box', is: 'rejected' })),
      unmet: [{ successors: [{ entity: 'Box/ready' }, { entity: 'Box/failed' }, { entity: 'Box/pending' }] }],
    },
    {
      pattern: 'and names only the parts that do not hold',
      predicate: and(any(inPlace), none({ of: 'Alias' }), all({ of: 'Alias' })),
      unmet: [{ pattern: 'all of Alias', successors: [] }],
    },
    {
      pattern: 'or names every way to it',
      predicate: or(all({ of: 'Alias' }), and(any(inPlace), atLeast(3, inPlace))),
      unmet: [{ kind: 'either', choices: [[{ pattern: 'all of Alias' }], [{ pattern: 'at least 3 Box in Placed' }]] }],
    },
    {
      pattern: 'not or has to hold of all parts',
      predicate: not(or(any(inPlace), any({ is: 'failed' }), any({ of: 'Alias' }))),
      unmet: [{ successors: [{ entity: 'Box/ready' }] }, { successors: [{ entity: 'Box/failed' }] }],
    },
    { pattern: 'what holds has none', predicate: any(inPlace), unmet: [] },
  ])('$pattern', ({ predicate, unmet }) => {
    const parts = unmetParts(predicate, successors);
    expect(parts).toHaveLength(unmet.length);
    expect(parts).toMatchObject(unmet);
  });
});
