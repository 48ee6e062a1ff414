import { describe, expect, it } from 'vitest';
import { OperationTracker } from '../../src/operations/tracker.js';
import { Room } from '../entities/box.js';
import { Lease } from '../entities/lease.js';
import { Puppet } from '../support/entities.js';

const MINUTE = 60_000;

/** An operation that hears what its entity tells it. */
function follow(entity: Puppet, request: string): { readonly hears: () => OperationTracker } {
  const { type, key } = entity.snapshot;
  const root = { type, key, engagement: request, event: 'e' };
  const tracker = OperationTracker.start({ kind: 'start', id: request, name: 'n', root, dimensions: {}, startedAt: 0 });
  return {
    hears() {
      for (const effect of entity.taken()) {
        if (effect.kind === 'tell' && effect.operation === request) tracker.hear(effect.message);
      }
      return tracker;
    },
  };
}

describe('an operation over entities that time changes', () => {
  it('goes on until a time-out has been dealt with, and not longer (S4.2, S4.3)', () => {
    const lease = new Puppet(Lease);
    lease.raise('request');
    lease.end('Held');
    lease.taken();
    lease.raise('hand');
    const { hears } = follow(lease, 'hand-id');
    lease.end('Handing');
    expect(hears().done).toBe(false);
    lease.now += 5 * MINUTE;
    lease.startTimer();
    expect(hears().done).toBe(false);
    lease.end('Expired');
    expect(hears().done).toBe(true);
  });

  it('does not wait for a deadline that is only scheduled (S4.2, S4.5)', () => {
    const lease = new Puppet(Lease);
    lease.raise('request');
    const { hears } = follow(lease, 'request-id');
    lease.end('Granting');
    lease.startAutomatic();
    lease.throws('busy');
    expect(hears().done).toBe(false);
    lease.pass();
    lease.startAutomatic();
    lease.end('Held');
    expect(lease.next()).toMatchObject({ kind: 'rest', until: lease.now + 57 * MINUTE });
    expect(hears().done).toBe(true);
  });

  it('ends with an error when a successor is lost, after what that sets off (S4.2, S4.4)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] });
    const { hears } = follow(room, 'furnish-id');
    room.end('Furnishing');
    room.startAutomatic();
    const request = { id: 'order-a', event: 'place' };
    room.end('Waiting', { raises: [{ to: { type: 'Box', key: 'a' }, creates: true, request, judges: true }] });
    for (const _ of [1, 2]) {
      expect(hears().done).toBe(false);
      room.pass();
      room.miss(room.look()[0]!);
    }
    expect(hears().done).toBe(false);
    room.end('Failed');
    const tracker = hears();
    expect(tracker.done).toBe(true);
    expect(tracker.end(1)).toMatchObject({
      outcome: 'failed',
      errors: [{ entity: 'Box/a', code: 'lost' }],
    });
  });

  it('does not wait for a lost successor that rested for its own successors (S4.2, S4.4)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] });
    const { hears } = follow(room, 'furnish-id');
    room.end('Furnishing');
    room.startAutomatic();
    const request = { id: 'order-a', event: 'place' };
    room.end('Waiting', { raises: [{ to: { type: 'Box', key: 'a' }, creates: true, request, judges: true }] });
    const box = { type: 'Box', key: 'a', life: 'life-a' };
    const outcome = { state: 'Clearing', version: 3, health: 'normal', waiting: true } as const;
    room.report({ kind: 'report', from: box, toLife: 'life-1', version: 3, outcome, ended: ['order-a'] });
    hears().hear({
      kind: 'ended',
      engagement: 'order-a',
      participant: box,
      event: 'place',
      outcome,
      caused: [],
      judgements: [],
    });
    for (const _ of [1, 2]) {
      room.pass();
      room.miss(room.look()[0]!);
    }
    room.end('Failed');
    const tracker = hears();
    expect(tracker.done).toBe(true);
    expect(tracker.status().participants['Box/a#life-a']).toMatchObject({ waiting: false, health: 'error' });
  });
});
