import { describe, expect, it } from 'vitest';
import { decideRaised } from '../../src/kernel/rules/decide.js';
import { nextStep } from '../../src/kernel/turns/next.js';
import type { Rejection } from '../../src/protocol/rejection.js';
import { LOSE_EVENT, RETRY_EVENT } from '../../src/protocol/names.js';
import type { Successor } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

/** A box that rests in an unstable state, since its attempts are used up and no state is declared for that. */
function exhausted(): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' });
  box.end('Placing');
  box.startAutomatic();
  box.throws('shelf_gone', true);
  box.startAutomatic();
  box.throws('no_way', true);
  expect(box.snapshot).toMatchObject({ state: 'Clearing', exhausted: true });
  box.taken();
  return box;
}

/** A room that waits for its boxes a and b. */
function waiting(): Puppet {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: ['a', 'b'] });
  room.end('Furnishing');
  room.startAutomatic();
  const raises = ['a', 'b'].map((key) => {
    return { to: { type: 'Box', key }, creates: true, request: { id: `order-${key}`, event: 'place' }, judges: true };
  });
  room.end('Waiting', { raises });
  room.taken();
  return room;
}

describe('an action that is run again by an operator', () => {
  it('has its attempts anew and the same idempotency keys, in an operation of its own (S3.4, S3.5)', () => {
    const box = exhausted();
    const { entry } = box.snapshot;
    expect(box.raise(RETRY_EVENT)).toEqual({ status: 'accepted', operation: `${RETRY_EVENT}-id` });
    expect(box.snapshot).toMatchObject({
      running: { action: 'clear', kind: 'automatic' },
      attempt: 1,
      exhausted: false,
      entry,
      engagements: [{ event: RETRY_EVENT, operation: `${RETRY_EVENT}-id` }],
    });
    box.throws('still_down');
    expect(box.snapshot).toMatchObject({ state: 'Clearing', attempt: 1, exhausted: false });
    box.pass();
    box.startAutomatic();
    box.end('Lost');
    expect(box.snapshot).toMatchObject({ state: 'Lost', engagements: [] });
  });

  it('runs once for one request id (S2.5)', () => {
    const box = exhausted();
    box.raise(RETRY_EVENT);
    box.end('Lost');
    const { snapshot } = box;
    expect(box.raise(RETRY_EVENT)).toMatchObject({ status: 'accepted', outcome: { state: 'Lost' } });
    expect(box.snapshot).toBe(snapshot);
  });

  it('is refused where none is exhausted, and nothing changes (S2.2)', () => {
    const box = new Puppet(Box);
    const { snapshot } = box;
    expect(box.raise(RETRY_EVENT)).toMatchObject({ status: 'rejected', rejection: { code: 'not_exhausted' } });
    expect(box.snapshot).toBe(snapshot);
  });

  it('is refused once the entity is deleted (S1.3)', () => {
    const gone = { ...new Puppet(Box).snapshot, state: 'Deleted' };
    expect(decideRaised(Box, gone, { event: RETRY_EVENT })).toMatchObject({ rejection: { code: 'gone' } });
  });
});

describe('a successor that an operator takes for lost', () => {
  it('counts as failed at once, and its operation is told (S4.4)', () => {
    const room = waiting();
    const answer = room.raise(LOSE_EVENT, { successor: 'Box/a' });
    expect(answer).toEqual({ status: 'accepted', operation: 'furnish-id' });
    expect(room.snapshot.successors[0]).toMatchObject({ event: 'settled', outcome: { lost: true, health: 'error' } });
    expect(room.snapshot.running).toMatchObject({ action: 'fail', subscription: 'lost' });
    const told = room.taken().filter(({ kind }) => kind === 'tell');
    expect(told[0]).toMatchObject({ operation: 'furnish-id', message: { kind: 'ended', engagement: 'order-a' } });
  });

  it('is lost once, also while an action runs (S4.4)', () => {
    const room = waiting();
    room.raise(LOSE_EVENT, { successor: 'Box/a' });
    expect(nextStep(Room, room.snapshot, room.now).kind).toBe('action');
    expect(room.raise(LOSE_EVENT, { successor: 'Box/b' })).toMatchObject({ status: 'accepted' });
    expect(room.snapshot.successors[1]).toMatchObject({ outcome: { lost: true } });
    const { snapshot } = room;
    room.taken();
    expect(room.raise(LOSE_EVENT, { successor: 'Box/a' })).toMatchObject({ status: 'accepted' });
    expect(room.snapshot).toBe(snapshot);
    expect(room.taken()).toEqual([]);
  });

  it('has the state and the version that it told with its last answer, and none after it was absent (S4.4, S5.1)', () => {
    const box = (key: string, state: string, version: number, rejection: Partial<Rejection>): Successor => ({
      ...{ type: 'Box', key, life: `life-${key}`, operation: 'op', position: '1.1', request: `look-${key}` },
      ...{ event: 'rejected', version: 3 },
      outcome: {
        ...{ state, version, health: 'normal', waiting: false },
        rejection: { code: 'not_valid', message: 'no', entity: `Box/${key}`, event: 'look', ...rejection },
      },
    });
    const room = new Puppet(Room);
    const rejected = [box('a', 'Lost', 6, {}), box('b', 'absent', 0, { code: 'absent' })];
    room.snapshot = { ...room.snapshot, successors: rejected };
    room.raise('furnish', { boxes: [] });
    const raises = ['a', 'b'].map((key) => {
      return { to: { type: 'Box', key }, creates: false, request: { id: `again-${key}`, event: 'look' }, judges: true };
    });
    room.end('Furnishing', { raises });
    room.taken();
    for (const { key } of rejected) room.raise(LOSE_EVENT, { successor: `Box/${key}` });
    const ended = room.taken().flatMap((effect) => (effect.kind === 'tell' ? [effect.message] : []));
    expect(ended.filter(({ kind }) => kind === 'ended')).toMatchObject([
      { engagement: 'again-a', participant: { life: 'life-a' }, outcome: { state: 'Lost', version: 6 } },
      { engagement: 'again-b', participant: { life: '' }, outcome: { state: 'lost', version: 0 } },
    ]);
  });

  it('is refused when there is none of that name, and nothing changes (S2.2)', () => {
    const room = waiting();
    const { snapshot } = room;
    expect(room.raise(LOSE_EVENT, { successor: 'Box/c' })).toMatchObject({
      rejection: { code: 'no_such_successor', message: expect.stringContaining('Box/a, Box/b') },
    });
    const { rejection } = room.raise(LOSE_EVENT, { successor: 'Box/c' }) as { readonly rejection: Rejection };
    expect(rejection).not.toHaveProperty('issues');
    for (const params of [undefined, null, 'Box/a', { successor: 7 }]) {
      expect(room.raise(LOSE_EVENT, params)).toMatchObject({
        rejection: { code: 'invalid_parameters', issues: [{ path: 'successor' }] },
      });
    }
    expect(room.snapshot).toBe(snapshot);
  });
});

describe('a successor that has said its last word', () => {
  it('cannot be lost: it was rejected, or is deleted (S4.4)', () => {
    const room = waiting();
    const [a, b] = room.snapshot.successors;
    const outcome = { state: 'Deleted', version: 1, health: 'normal', waiting: false } as const;
    for (const last of [
      { event: 'rejected' as const },
      { event: 'settled' as const, outcome: { ...outcome, closed: true } },
    ]) {
      room.snapshot = { ...room.snapshot, successors: [{ ...a!, ...last }, b!] };
      const message = expect.stringMatching(/It may be lost: Box\/b\.$/) as string;
      expect(room.raise(LOSE_EVENT, { successor: 'Box/a' })).toMatchObject({
        rejection: { code: 'no_such_successor', message },
      });
    }
  });
});

describe('an event that is meant for one version', () => {
  const placed = () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    return box;
  };

  it('is accepted while the entity has it, and rejected with version_conflict afterwards (S6.1)', () => {
    const box = placed();
    const { life, version } = box.snapshot;
    const expects = { life, version };
    expect(box.raise('relabel', { label: 'a' }, { id: 'one', expects })).toMatchObject({ status: 'accepted' });
    box.end();
    const { snapshot } = box;
    expect(box.raise('relabel', { label: 'b' }, { id: 'two', expects })).toMatchObject({
      rejection: { code: 'version_conflict', state: 'Placed' },
    });
    expect(box.snapshot).toBe(snapshot);
    const again = box.raise('relabel', { label: 'a' }, { id: 'one', expects });
    expect(again).toMatchObject({ status: 'accepted', outcome: { version: version + 1 } });
  });

  it('is rejected in another life with the same version (S1.3, S6.1)', () => {
    const box = placed();
    const expects = { life: 'another-life', version: box.snapshot.version };
    expect(box.raise('look', undefined, { expects })).toMatchObject({ rejection: { code: 'version_conflict' } });
  });

  it('waits behind an action, which ends in another version (S2.3, S6.1)', () => {
    const box = placed();
    box.raise('look');
    const { life, version } = box.snapshot;
    expect(box.raise('relabel', { label: 'b' }, { expects: { life, version } })).toMatchObject({ status: 'waiting' });
    box.end('Placed');
    box.taken();
    box.admitWaiting();
    expect(box.taken()).toMatchObject([{ message: { outcome: { rejection: { code: 'version_conflict' } } } }]);
  });

  it('does not wait when that version is over already (S6.1)', () => {
    const box = placed();
    const { life, version } = box.snapshot;
    box.raise('look');
    const answer = box.raise('relabel', { label: 'b' }, { expects: { life, version: version - 1 } });
    expect(answer).toMatchObject({ rejection: { code: 'version_conflict', operation: 'look-id' } });
  });
});
