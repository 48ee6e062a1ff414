import { describe, expect, it } from 'vitest';
import { circleOf, forward, probeAgain, probeOf } from '../../src/kernel/reservations/circle.js';
import type { LivingRef } from '../../src/protocol/refs.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { WaitedFor } from '../../src/protocol/probe.js';
import type { HeldReservation, Reservation, Reserver } from '../../src/protocol/kept-reservation.js';
import type { Awaited, Engagement, RunningAction, Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const living = (name: string): LivingRef => {
  const [type, key] = name.split('/') as [string, string];
  return { type, key, life: `life of ${name}` };
};
const awaited = (kind: Awaited['kind'], wait: string, on = 'Box/b'): Awaited =>
  ({ kind, wait, on, until: 9_000, engagement: `${wait}-event`, event: 'e', hold: 'action' }) as Awaited;
const running = (more: Partial<RunningAction> = {}): RunningAction => ({
  action: 'a',
  kind: 'event',
  startedAt: 1,
  ...more,
});
const engagement = (id: string, more: Partial<Engagement> = {}): Engagement => ({
  ...{ id, event: 'e', eventType: 'raised', operation: 'op', opened: true, position: '1', startState: 'Absent' },
  ...{ startVersion: 0, startedAt: 1, transitions: 0, caused: [] },
  ...more,
});
const request = (id: string, from?: string): RaiseRequest => ({
  ...{ id, event: 'e' },
  ...(from !== undefined && { from: { ...living(from), judges: false } }),
});
const reserver = (wait: string, from: string): Reserver => ({
  ...{ wait, from: living(from), operation: 'op', leaseMs: 1_000, hold: 'action', until: 9_000, askedAt: 1 },
});
const reservation = (owner: string, more: Partial<Reservation> = {}): Reservation => ({
  ...{
    wait: 'held',
    owner: living(owner),
    operation: 'op',
    fence: 1,
    until: 9_000,
    hold: 'action',
    used: false,
    since: 0,
    looks: 0,
  },
  ...more,
});
const hold = (wait: string, operation: string): HeldReservation => ({
  ...{ wait, operation, until: 9_000, hold: 'operation', on: { type: 'Box', key: 'b', life: 'l', fence: 1 } },
});
const successor = (key: string, more: Partial<Successor> = {}): Successor => ({
  ...{ type: 'Child', key, operation: 'op', position: '1.1', request: `raise-${key}`, event: 'pending', version: 0 },
  ...more,
});
const outcome = { state: 'S', version: 1, health: 'normal', waiting: false } as const;

/** `Box/k` in the middle of something. */
const box = (more: Partial<Snapshot> = {}): Snapshot => ({ ...new Puppet(Box).snapshot, ...more });
const self = { type: 'Box', key: 'k', life: 'life-1' };
const other = living('Other/o');

/** Those to whom a probe goes on that asks for something here, and what it asks for there. */
function goesOn(snapshot: Snapshot, kind: WaitedFor['kind'], id: string, initiator = other): readonly string[] {
  const asked: WaitedFor = { on: 'Box/k', kind, id };
  return forward(snapshot, { kind: 'probe', initiator, wait: 'w', round: 3, path: [asked] }).map((effect) => {
    if (effect.kind !== 'send' || effect.message.kind !== 'probe') throw new Error('no probe');
    const { path, ...probe } = effect.message;
    expect(probe).toEqual({ kind: 'probe', initiator, wait: 'w', round: 3 });
    expect(path.slice(0, -1)).toEqual([asked]);
    const last = path.at(-1)!;
    expect(`${effect.to.type}/${effect.to.key}`).toBe(last.on);
    return `${last.on} ${last.kind} ${last.id}`;
  });
}

describe('the first probe of a wait (S3.8, circle.1)', () => {
  it('asks for the event or the reservation that the action waits for', () => {
    const from = { ...other, judges: false };
    const event = { id: 'r', event: 'e', from, awaited: 'w' };
    expect(probeOf(box(), event)).toEqual({
      ...{ kind: 'probe', initiator: from, wait: 'w', round: 0, path: [{ on: 'Box/k', kind: 'event', id: 'r' }] },
    });
    expect(probeOf(box(), { id: 'r', event: 'e', from })).toBeUndefined();
    expect(probeOf(box(), { id: 'r', event: 'e', awaited: 'w' })).toBeUndefined();
    const { wait, askedAt: _, ...rest } = reserver('w', 'Other/o');
    expect(probeOf(box(), { kind: 'reserve', wait, ...rest })).toEqual({
      ...{
        kind: 'probe',
        initiator: other,
        wait: 'w',
        round: 0,
        path: [{ on: 'Box/k', kind: 'reservation', id: 'w' }],
      },
    });
  });

  it('is sent again, in another round, for what can close a circle, to who can be named', () => {
    const sent = (each: Awaited) => probeAgain(box(), each, 2);
    const probe = { kind: 'probe', initiator: self, wait: 'w', round: 2 };
    const to = { type: 'Box', key: 'b' };
    expect(sent(awaited('event', 'w'))).toEqual([
      { kind: 'send', to, message: { ...probe, path: [{ on: 'Box/b', kind: 'event', id: 'w-event' }] } },
    ]);
    expect(sent(awaited('reservation', 'w'))).toEqual([
      { kind: 'send', to, message: { ...probe, path: [{ on: 'Box/b', kind: 'reservation', id: 'w' }] } },
    ]);
    expect(sent(awaited('view', 'w'))).toEqual([]);
    expect(sent(awaited('event', 'w', 'nobody'))).toEqual([]);
  });
});

describe('a probe that comes home (S3.8, circle.2)', () => {
  const waits = box({ running: running({ awaits: [awaited('event', 'w')] }), engagements: [engagement('mine')] });
  const path: readonly WaitedFor[] = [
    { on: 'Box/b', kind: 'event', id: 'w-event' },
    { on: 'Clerk/c', kind: 'release', id: 'x' },
    { on: 'Box/k', kind: 'event', id: 'mine' },
  ];
  const probe = { kind: 'probe', initiator: self, wait: 'w', round: 1, path } as const;

  it('names the circle, from the initiator on', () => {
    expect(circleOf(waits, probe)).toEqual(['Box/k', 'Box/b', 'Clerk/c']);
  });

  it('has found none when it is late, unknown, of another life, or asks for what needs no action', () => {
    expect(circleOf(box({ engagements: [engagement('mine')] }), probe)).toBeUndefined();
    expect(circleOf({ ...waits, running: running() }, probe)).toBeUndefined();
    expect(circleOf(waits, { ...probe, wait: 'another' })).toBeUndefined();
    expect(circleOf(waits, { ...probe, initiator: { ...self, life: 'life-0' } })).toBeUndefined();
    expect(circleOf(waits, { ...probe, initiator: other })).toBeUndefined();
    expect(circleOf({ ...waits, engagements: [engagement('another')] }, probe)).toBeUndefined();
    expect(circleOf(waits, { ...probe, path: [] })).toBeUndefined();
  });
});

describe('a probe that goes on (S3.8, circle.1)', () => {
  const awaits = [awaited('event', 'w1', 'Box/one'), awaited('reservation', 'w2', 'Box/two'), awaited('view', 'w3')];
  const all = ['Box/one event w1-event', 'Box/two reservation w2'];

  it('follows what the action waits for, where that has to end first', () => {
    const busy = box({ running: running({ awaits }), engagements: [engagement('now')], waiting: [request('next')] });
    expect(goesOn(busy, 'event', 'now')).toEqual(all);
    expect(goesOn(busy, 'event', 'next')).toEqual(all);
    expect(goesOn(busy, 'event', 'never')).toEqual([]);
    expect(goesOn({ ...busy, reservers: [reserver('r', 'Other/o')] }, 'reservation', 'r')).toEqual(all);
    expect(goesOn(busy, 'reservation', 'r')).toEqual([]);
    expect(goesOn(box({ engagements: [engagement('now')] }), 'event', 'now')).toEqual([]);
  });

  it('follows it for a release too: what the action, or its operation, has reserved', () => {
    const busy = running({ awaits, holds: [hold('mine', 'op')] });
    expect(goesOn(box({ running: busy }), 'release', 'mine')).toEqual(all);
    expect(goesOn(box({ running: busy }), 'release', 'w2')).toEqual(all);
    expect(goesOn(box({ running: busy }), 'release', 'another')).toEqual([]);
    const kept = box({ running: running({ awaits }), holds: [hold('kept', 'op')] });
    expect(goesOn({ ...kept, engagements: [engagement('now')] }, 'release', 'kept')).toEqual(all);
    expect(goesOn({ ...kept, engagements: [engagement('now', { operation: 'other' })] }, 'release', 'kept')).toEqual(
      [],
    );
    expect(goesOn({ ...kept, engagements: [engagement('now')] }, 'release', 'another')).toEqual([]);
  });

  it('follows the owner of a reservation, for what has to wait until that ends', () => {
    const mine = request('mine', 'Clerk/c');
    const reserved = box({ reservation: reservation('Clerk/c'), waiting: [request('theirs', 'Other/o'), mine] });
    const release = ['Clerk/c release held'];
    expect(goesOn(reserved, 'event', 'theirs')).toEqual(release);
    expect(goesOn(reserved, 'event', 'mine')).toEqual([]);
    const held = box({ reservation: reservation('Clerk/c'), engagements: [engagement('now')] });
    expect(goesOn(held, 'event', 'now')).toEqual(release);
    expect(goesOn(held, 'event', 'never')).toEqual([]);
    expect(goesOn({ ...held, reservation: reservation('Clerk/c', { used: true }) }, 'event', 'now')).toEqual([]);
  });

  it('follows the owner alone for a reservation, and not those whose turn comes before (S3.6, circle.3)', () => {
    const queue = [reserver('first', 'Clerk/a'), reserver('second', 'Clerk/b'), reserver('third', 'Clerk/d')];
    const reserved = box({ reservation: reservation('Clerk/c'), reservers: queue });
    for (const { wait } of queue) expect(goesOn(reserved, 'reservation', wait)).toEqual(['Clerk/c release held']);
    expect(goesOn(box({ reservers: queue }), 'reservation', 'third')).toEqual([]);
    expect(goesOn(reserved, 'reservation', 'another')).toEqual([]);
    expect(goesOn({ ...reserved, waiting: [request('e')] }, 'release', 'second')).toEqual([]);
  });

  it('follows the successors that have not settled, of the same event where that is under way', () => {
    const successors = [
      successor('pending'),
      successor('accepted', { event: 'accepted' }),
      successor('resting', { event: 'settled', outcome: { ...outcome, waiting: true } }),
      successor('lost', { event: 'settled', outcome: { ...outcome, waiting: true, lost: true } }),
      successor('settled', { event: 'settled', outcome }),
      successor('rejected', { event: 'rejected' }),
      successor('elsewhere', { operation: 'other' }),
    ];
    const open = ['Child/pending', 'Child/accepted', 'Child/resting'].map((on) => `${on} event raise-${on.slice(6)}`);
    const recent = [
      { id: 'elsewhen', event: 'e', fingerprint: 'f', operation: 'other' },
      { id: 'ended', event: 'e', fingerprint: 'f', operation: 'op' },
    ];
    const resting = box({ successors, ledger: { recent, older: [], forgotten: 0 } });
    expect(goesOn(resting, 'event', 'ended')).toEqual(open);
    expect(goesOn(resting, 'event', 'elsewhen')).toEqual(['Child/elsewhere event raise-elsewhere']);
    expect(goesOn(resting, 'event', 'never')).toEqual([]);
    expect(goesOn({ ...resting, waiting: [request('ended')] }, 'event', 'ended')).toEqual([]);
    expect(goesOn(resting, 'event', 'ended', living('Child/accepted'))).toEqual([open[0], open[2]]);
    const caused = [{ engagement: 'raise-resting', on: 'Child/resting' }];
    const engagements = [
      engagement('earlier', { caused: [{ engagement: 'raise-pending', on: 'Child/pending' }] }),
      engagement('now', { caused }),
    ];
    expect(goesOn({ ...resting, engagements }, 'event', 'now')).toEqual([open[2]]);
  });

  it('follows the successors of the operation for which it holds a reservation', () => {
    const holds = [hold('other', 'other'), hold('kept', 'op')];
    const owner = box({ holds, successors: [successor('a'), successor('b', { operation: 'other' })] });
    expect(goesOn(owner, 'release', 'kept')).toEqual(['Child/a event raise-a']);
    expect(goesOn(owner, 'release', 'other')).toEqual(['Child/b event raise-b']);
    expect(goesOn({ ...owner, reservers: [reserver('kept', 'Clerk/c')] }, 'reservation', 'kept')).toEqual([]);
  });

  it('goes not to who cannot be named, at most 100 steps, and no further once it has come home', () => {
    const awaits = [awaited('reservation', 'w', 'Box/one'), awaited('reservation', 'v', 'nobody')];
    const busy = box({ running: running({ awaits }), engagements: [engagement('now')] });
    expect(goesOn(busy, 'event', 'now')).toEqual(['Box/one reservation w']);
    const at: WaitedFor = { on: 'Box/k', kind: 'event', id: 'now' };
    const probe = (path: readonly WaitedFor[], initiator = other) =>
      forward(busy, { kind: 'probe', initiator, wait: 'w', round: 0, path });
    expect(probe(Array.from({ length: 99 }, () => at))).toHaveLength(1);
    expect(probe(Array.from({ length: 100 }, () => at))).toEqual([]);
    expect(probe([])).toEqual([]);
    expect(probe([at], self)).toEqual([]);
  });
});
