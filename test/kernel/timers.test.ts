import { describe, expect, it } from 'vitest';
import type { AnyEntity } from '../../src/definition/entity.js';
import { scheduledTimers } from '../../src/kernel/triggers/timers.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Lease } from '../entities/lease.js';
import { Puppet } from '../support/entities.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BORN = 1_000;

/** A lease that was granted some time after its birth. */
function held(after = 10 * MINUTE, entity: AnyEntity = Lease): Puppet {
  const lease = new Puppet(entity);
  lease.now += after;
  lease.raise('request');
  lease.end('Held');
  lease.taken();
  return lease;
}

/** A lease that waits for a box. */
function handing(): Puppet {
  const lease = held();
  lease.raise('hand');
  const request = { id: 'order-a', event: 'place' };
  lease.end('Handing', { raises: [{ to: { type: 'Box', key: 'a' }, creates: true, request, judges: true }] });
  lease.taken();
  return lease;
}

/** Leases that are inspected in another state too. */
function ticking(state: 'Granting' | 'Handing'): AnyEntity {
  const inspected = { in: ['Held', state] } as const;
  return {
    ...Lease,
    events: { ...Lease.events, inspect: inspected },
    actions: { ...Lease.actions, inspect: { on: 'inspect', ...inspected } },
  };
}

/** A lease between two attempts to grant it. */
function granting(entity: AnyEntity = Lease): Puppet {
  const lease = new Puppet(entity);
  lease.raise('request');
  lease.end('Granting');
  lease.startAutomatic();
  lease.throws('busy');
  lease.taken();
  return lease;
}

function tick(lease: Puppet): void {
  lease.startTimer();
  lease.end();
}

describe('a periodic timer', () => {
  it('ticks at multiples of its period since birth, however long its actions take (S4.5, timers.2)', () => {
    const lease = held();
    for (const hours of [1, 2]) {
      expect(lease.pass()).toBe(BORN + hours * HOUR);
      lease.startTimer();
      expect(lease.snapshot.running).toMatchObject({ action: 'inspect', timer: 'inspection' });
      lease.now += 7 * MINUTE;
      lease.end();
    }
  });

  it('says that nothing in its operation has caused it, where nothing was under way in it (tracker.9)', () => {
    const lease = handing();
    expect(lease.snapshot.awaiting).toHaveLength(1);
    lease.pass();
    lease.now = lease.snapshot.enteredAt + 5 * MINUTE;
    lease.startTimer();
    lease.end('Expired');
    expect(lease.taken()).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ kind: 'ended', event: 'giveUp', uncaused: true }) }),
    );
  });

  it('may have a name that every object knows (S1.5a, S4.5)', () => {
    for (const name of ['toString', '__proto__']) {
      const timers = Object.fromEntries([[name, { every: '1h', raise: 'inspect' }]]);
      const lease = held(10 * MINUTE, { ...Lease, timers } as AnyEntity);
      // As if a newer declaration had brought it.
      lease.snapshot = { ...lease.snapshot, ticks: {} };
      expect(lease.pass()).toBe(BORN + HOUR);
      tick(lease);
      expect(lease.next()).toEqual({ kind: 'rest', until: BORN + 2 * HOUR });
    }
  });

  it('makes one of the ticks that were missed (S4.5, timers.2)', () => {
    const lease = held();
    lease.raise('renew');
    lease.now = BORN + 3 * HOUR + 20 * MINUTE;
    expect(lease.next().kind).toBe('action');
    lease.end('Held');
    tick(lease);
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + 4 * HOUR });
  });

  it('drops the ticks of a state in which its event is not valid (S4.5, timers.2)', () => {
    const lease = held(2 * HOUR + 30 * MINUTE);
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + 3 * HOUR });
    lease.pass();
    tick(lease);
    lease.raise('hand');
    // It is due while the action runs that leads to where it is not valid.
    lease.now = BORN + 4 * HOUR;
    lease.end('Handing');
    expect(lease.snapshot.ticks).toEqual({});
    lease.now = BORN + 5 * HOUR - 1;
    lease.raise('giveUp');
    lease.now = BORN + 5 * HOUR;
    lease.end('Expired');
    lease.raise('renew');
    lease.end('Held');
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + 6 * HOUR });
  });

  it('lets the events of others go first, and interrupts no action (S2.4, next.2, timers.1)', () => {
    const lease = held();
    lease.raise('renew');
    lease.raise('hand');
    lease.now = BORN + HOUR;
    expect(lease.next().kind).toBe('action');
    lease.end('Held');
    expect(lease.next().kind).toBe('event');
    lease.admitWaiting();
    lease.throws('refused');
    expect(lease.next().kind).toBe('timer');
  });

  it('belongs to an operation that goes on when it ticks, so that this stays the current one (S4.5)', () => {
    const lease = granting(ticking('Granting'));
    lease.snapshot = { ...lease.snapshot, enteredAt: BORN + 55 * MINUTE };
    lease.now = BORN + HOUR;
    tick(lease);
    expect(lease.snapshot.engagements).toMatchObject([{ operation: 'request-id' }, { operation: 'request-id' }]);
    expect(lease.snapshot.operation).toEqual({ id: 'request-id', open: true, position: '1' });
  });

  it('opens an operation of its own outside of any, which needs no workflow when it settles at once (S4.5)', () => {
    const lease = held();
    lease.pass();
    lease.startTimer();
    const [engagement] = lease.snapshot.engagements;
    expect(engagement).toMatchObject({ event: 'inspect', eventType: 'timer', opened: false });
    expect(engagement!.operation).toBe(engagement!.id);
    lease.end();
    expect(lease.taken()).toEqual([]);
  });

  it('gives each tick an id of its own and does not push requests of others out of the ledger (S2.5)', () => {
    const lease = held();
    const before = lease.snapshot.ledger;
    const ids = [1, 2].map(() => {
      lease.pass();
      lease.startTimer();
      const { id } = lease.snapshot.engagements[0]!;
      lease.end();
      return id;
    });
    expect(new Set(ids).size).toBe(2);
    expect(lease.snapshot.ledger).toEqual(before);
  });

  it('does not put off the deadline of the state in which it ticks (S4.5, timers.3)', () => {
    const lease = held();
    const { enteredAt } = lease.snapshot;
    lease.pass();
    tick(lease);
    lease.pass();
    lease.startTimer();
    lease.throws('broken');
    expect(lease.snapshot.enteredAt).toBe(enteredAt);
    expect(lease.pass()).toBe(enteredAt + 150 * MINUTE);
    lease.startTimer();
    expect(lease.snapshot.running?.action).toBe('expire');
  });

  it('starts with the entry into the state when a newer declaration has brought it (Q2)', () => {
    const lease = held();
    const old: Snapshot = { ...lease.snapshot, ticks: {} };
    lease.snapshot = old;
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + HOUR });
  });

  it('stops when the entity is deleted (S1.3, timers.4)', () => {
    const { snapshot } = new Puppet(Lease);
    expect(scheduledTimers(Lease, { ...snapshot, state: 'Held' })).toHaveLength(2);
    expect(scheduledTimers(Lease, { ...snapshot, state: 'Deleted' })).toEqual([]);
    const lease = held();
    lease.raise('end');
    lease.end('Deleted');
    lease.now += 5 * HOUR;
    expect(lease.next().kind).toBe('closed');
  });
});

describe('a deadline', () => {
  it('raises its event once its state has lasted so long, and opens an operation of its own (S4.5, timers.3)', () => {
    const lease = held();
    const { enteredAt } = lease.snapshot;
    lease.now = enteredAt + 150 * MINUTE - 1;
    tick(lease);
    expect(lease.next()).toEqual({ kind: 'rest', until: enteredAt + 150 * MINUTE });
    lease.pass();
    lease.startTimer();
    const [engagement] = lease.snapshot.engagements;
    expect(engagement).toMatchObject({ event: 'expire', eventType: 'timer' });
    expect(engagement!.operation).toBe(engagement!.id);
    lease.end('Expired');
    expect(lease.next()).toEqual({ kind: 'rest' });
  });

  it('runs anew after an event that enters the state again (S3.5, timers.3)', () => {
    const lease = held();
    lease.now += 25 * MINUTE;
    lease.raise('renew');
    lease.end('Held');
    lease.now = BORN + 2 * HOUR;
    tick(lease);
    expect(lease.pass()).toBe(BORN + 3 * HOUR);
    tick(lease);
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + 35 * MINUTE + 150 * MINUTE });
  });

  it('does not run anew with another attempt, and belongs to the operation that goes on (S4.5, timers.3)', () => {
    const lease = granting();
    for (const minutes of [3, 6, 9]) {
      expect(lease.pass()).toBe(BORN + minutes * MINUTE);
      lease.startAutomatic();
      lease.throws('busy');
    }
    expect(lease.pass()).toBe(BORN + 10 * MINUTE);
    lease.startTimer();
    expect(lease.snapshot.engagements).toMatchObject([
      { event: 'request', operation: 'request-id' },
      { event: 'expire', operation: 'request-id', eventType: 'timer' },
    ]);
    lease.end('Expired');
    expect(lease.taken()).toMatchObject([
      { kind: 'tell', operation: 'request-id', message: { engagement: 'request-id', outcome: { state: 'Expired' } } },
      { kind: 'tell', operation: 'request-id', message: { event: 'expire', outcome: { state: 'Expired' } } },
    ]);
  });

  it('is told to the operation with the end of what was under way, so that it does not end before its effects (S4.2)', () => {
    const lease = granting();
    for (let attempts = 3; attempts > 0; attempts--) {
      lease.pass();
      lease.startAutomatic();
      lease.throws('busy');
    }
    lease.pass();
    lease.startTimer();
    const expiry = lease.snapshot.engagements.at(-1)!;
    lease.end('Expired');
    const [first] = lease.taken();
    const caused = [{ engagement: expiry.id, on: 'Lease/k' }];
    expect(first).toMatchObject({ kind: 'tell', message: { kind: 'ended', engagement: 'request-id', caused } });
  });

  it('waits for an action that runs, and is gone when that leaves the state (timers.1, timers.3)', () => {
    const lease = granting();
    lease.pass();
    lease.startAutomatic();
    lease.now = BORN + HOUR - 1;
    expect(lease.next().kind).toBe('action');
    lease.end('Held');
    expect(lease.next()).toEqual({ kind: 'rest', until: BORN + HOUR });
  });

  it('keeps no operation open that has settled (S4.2)', () => {
    const lease = held();
    expect(lease.snapshot).toMatchObject({ operation: { id: 'request-id', open: false }, awaiting: [] });
    expect(lease.snapshot.ledger.recent[0]?.outcome).toMatchObject({ state: 'Held', waiting: false });
  });
});

describe('the time-out of a subscription', () => {
  it('raises its event for the operation that waits, and that goes on until it has settled (S4.2, S4.3)', () => {
    const lease = handing();
    lease.now = lease.snapshot.enteredAt + 5 * MINUTE - 1;
    expect(lease.next().kind).not.toBe('timer');
    lease.now++;
    lease.startTimer();
    expect(lease.snapshot.running?.action).toBe('giveUp');
    expect(lease.snapshot.engagements).toMatchObject([{ operation: 'hand-id', eventType: 'timer', opened: true }]);
    expect(lease.taken()).toEqual([]);
    lease.end('Expired');
    expect(lease.taken()).toMatchObject([
      { kind: 'tell', operation: 'hand-id', message: { kind: 'ended', outcome: { state: 'Expired', waiting: false } } },
    ]);
    expect(lease.snapshot.awaiting).toEqual([]);
  });

  it('is over when the subscription has raised its event in time (S4.3, timers.3)', () => {
    const lease = handing();
    lease.now += MINUTE;
    placed(lease);
    lease.end('Held');
    lease.now = BORN + HOUR;
    tick(lease);
    expect(lease.snapshot.state).toBe('Held');
  });

  it('goes on while the action of the subscription fails again and again (S4.3, S4.4)', () => {
    const lease = handing();
    const over = lease.snapshot.enteredAt + 5 * MINUTE;
    placed(lease);
    lease.throws('broken');
    while (lease.pass() < over) {
      lease.lookAgain();
      lease.throws('broken');
    }
    expect(lease.now).toBe(over);
    lease.startTimer();
    expect(lease.snapshot.running?.action).toBe('giveUp');
  });

  it('goes on when a tick finds the entity at rest for its successors, which is part of the same operation (S4.5)', () => {
    const lease = new Puppet(ticking('Handing'));
    lease.snapshot = { ...handing().snapshot, enteredAt: BORN + 58 * MINUTE };
    lease.now = BORN + HOUR;
    tick(lease);
    expect(lease.snapshot.awaiting).toEqual(['hand-id']);
    lease.now = BORN + 63 * MINUTE;
    lease.startTimer();
    expect(lease.snapshot.running?.action).toBe('giveUp');
  });
});

/** The box for which the lease waits is there. */
function placed(lease: Puppet): void {
  lease.report({
    kind: 'report',
    from: { type: 'Box', key: 'a', life: 'life-a' },
    toLife: 'life-1',
    version: 3,
    outcome: { state: 'Placed', version: 3, health: 'normal', waiting: false },
    ended: ['order-a'],
  });
}
