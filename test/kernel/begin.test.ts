import { describe, expect, it } from 'vitest';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Batch', key: 'b', life: 'batch-life', judges: true };

/** A job in the middle of something. */
function job(more: Partial<Snapshot> = {}): Puppet {
  const puppet = new Puppet(Job);
  puppet.snapshot = { ...puppet.snapshot, ...more };
  return puppet;
}

describe('the beginning of an event (S2.3, S4.2)', () => {
  it('is an engagement, the running action and a watcher', () => {
    const started = job({ exhausted: true });
    started.raise('start', undefined, { id: 'r', operation: 'op', position: '1.2', awaited: 'w', from });
    const { snapshot } = started;
    expect(snapshot.engagements).toStrictEqual([
      {
        ...{ id: 'r', event: 'start', eventType: 'raised', operation: 'op', opened: true, position: '1.2', caused: [] },
        ...{ startState: 'Idle', startVersion: 0, startedAt: 1_000, transitions: 0, budgetMs: 600_000 },
        awaiter: { type: 'Batch', key: 'b', life: 'batch-life' },
        fingerprint: contentFingerprint({ event: 'start' }),
      },
    ]);
    expect(snapshot.running).toStrictEqual({ action: 'start', kind: 'event', startedAt: 1_000 });
    expect(snapshot.operation).toEqual({ id: 'op', open: true, position: '1.2' });
    expect(snapshot).toMatchObject({ watchers: [from], exhausted: false });
    expect(snapshot.ledger.recent).toMatchObject([{ id: 'r' }]);
  });

  it('has no awaiter but an entity that waits, and no budget but a declared one', () => {
    const waits = job();
    waits.raise('start', undefined, { awaited: 'w' });
    expect(waits.snapshot.engagements[0]).not.toHaveProperty('awaiter');
    const watches = job();
    watches.raise('start', undefined, { from });
    expect(watches.snapshot.engagements[0]).not.toHaveProperty('awaiter');
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    expect(box.snapshot.engagements[0]).not.toHaveProperty('budgetMs');
    expect(box.snapshot.engagements[0]).toMatchObject({ opened: false, operation: 'place-id' });
  });

  it('makes whoever raises it the last watcher, once, with the life that it has now', () => {
    const watcher = { ...from, operation: 'earlier' };
    const other = { ...watcher, key: 'c' };
    const watched = job({ watchers: [watcher, other] });
    watched.raise('start', undefined, { operation: 'op', from: { ...from, life: 'new-life' } });
    expect(watched.snapshot.watchers).toEqual([other, { ...from, operation: 'op', life: 'new-life' }]);
    const alone = job({ watchers: [watcher, other] });
    alone.raise('start');
    expect(alone.snapshot.watchers).toEqual([watcher, other]);
  });

  it('is placed in the tree of the operation: as it was told, as it stands, at the root, or beside it (S5.1)', () => {
    const placeOf = (request: object, operation?: Snapshot['operation']) => {
      const placed = job(operation && { operation });
      placed.raise('start', undefined, request);
      return placed.snapshot.engagements[0]?.position;
    };
    const stands = { id: 'op', open: true, position: '1.4' };
    expect(placeOf({ operation: 'op', position: '1.7' }, stands)).toBe('1.7');
    expect(placeOf({ operation: 'op' }, stands)).toBe('1.4');
    expect(placeOf({ operation: 'other' }, stands)).toBe('0');
    expect(placeOf({}, stands)).toBe('1');
    expect(placeOf({ id: 'op', operation: 'op' })).toBe('1');
  });

  it('is caused by nothing that is under way where somebody else raises it', () => {
    const busy = new Puppet(Job);
    busy.raise('start', undefined, { operation: 'op' });
    busy.end('Working');
    busy.raise('stop', undefined, { operation: 'op' });
    expect(busy.snapshot.engagements.map(({ caused }) => caused)).toEqual([[], []]);
  });

  it('of what an operator runs again counts as a restart, and as the first attempt (S3.5, S5.1)', () => {
    const stuck = job({ state: 'Working', exhausted: true, attempt: 3 });
    stuck.raise(RETRY_EVENT);
    expect(stuck.snapshot).toMatchObject({
      attempt: 1,
      engagements: [{ restarts: 1 }],
      running: { kind: 'automatic' },
    });
    const plain = job({ attempt: 3 });
    plain.raise('start');
    expect(plain.snapshot.attempt).toBe(3);
    expect(plain.snapshot.engagements[0]).not.toHaveProperty('restarts');
  });

  it('by a subscription is caused by what is under way in the same operation, and can be repeated by nobody (S4.2)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] });
    room.end('Furnishing');
    room.startAutomatic();
    const request = { id: 'order-a', event: 'place' };
    room.end('Waiting', { raises: [{ to: { type: 'Box', key: 'a' }, creates: true, request, judges: true }] });
    const [, first] = ['', ...room.snapshot.ledger.recent.map(({ id }) => id)];
    const outcome = { state: 'Placed', version: 1, health: 'normal', waiting: false } as const;
    const box = { type: 'Box', key: 'a', life: 'life-a' };
    room.report({ kind: 'report', from: box, toLife: 'life-1', version: 1, outcome, ended: ['order-a'] });
    expect(room.snapshot.running).toStrictEqual({
      ...{ action: 'finish', kind: 'event', startedAt: 1_000, subscription: 'placed' },
    });
    expect(room.snapshot.engagements).toMatchObject([
      { id: `Room/k#life-1/${room.snapshot.version}/placed`, eventType: 'subscription', operation: 'furnish-id' },
    ]);
    expect(room.snapshot.ledger.recent.map(({ id }) => id)).toEqual([first]);
  });
});
