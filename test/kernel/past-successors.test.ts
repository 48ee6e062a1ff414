import { describe, expect, it } from 'vitest';
import { all, any, atLeast, none, type Predicate } from '../../src/definition/index.js';
import type { AnyEntity } from '../../src/definition/entity.js';
import { matches } from '../../src/kernel/rules/matching.js';
import { forgetPastSuccessors } from '../../src/kernel/engagements/past-successors.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const settled: EngagementOutcome = { state: 'Placed', version: 3, health: 'normal', waiting: false };
const gone: EngagementOutcome = { ...settled, state: 'Deleted', closed: true };
const rejected: EngagementOutcome = {
  ...settled,
  rejection: { code: 'already_done', message: 'm', entity: 'Box/x', event: 'place' },
};

const successor = (key: string, more: Partial<Successor> = {}): Successor => ({
  ...{ type: 'Box', key, operation: 'past', position: '1.1', request: `order-${key}`, event: 'settled', version: 3 },
  ...{ life: `life-${key}`, outcome: settled },
  ...more,
});
const deleted = (key: string, more: Partial<Successor> = {}) => successor(key, { outcome: gone, ...more });
const { life: _, ...unknown } = successor('r', { event: 'rejected', outcome: rejected });

/** Gives what stays of the successors of a room at rest, whose last operation was `last`. */
function kept(
  successors: readonly Successor[],
  { entity = Room, ...more }: Partial<Snapshot> & { entity?: AnyEntity } = {},
) {
  const room = new Puppet(Room);
  const operation = { id: 'last', open: false, position: '1' };
  const before: Snapshot = { ...room.snapshot, operation, successors, ...more };
  return forgetPastSuccessors(entity, before).successors.map(({ key }) => key);
}

/** A room with one subscription that counts boxes for life. */
const counting = (when: Predicate): AnyEntity => ({
  ...Room,
  subscriptions: { counted: { when, raise: 'boxLost', among: 'life' } },
});

describe('a successor that was deleted (S3.3, Q1)', () => {
  it('goes when its operation is over here and another one has settled, and no other does (past-successors.1)', () => {
    const lost = { ...settled, lost: true };
    const all = [deleted('a'), successor('b'), successor('c', { outcome: lost }), deleted('d', { event: 'pending' })];
    expect(kept(all)).toEqual(['b', 'c', 'd']);
    expect(kept([deleted('a', { operation: 'last' })])).toEqual(['a']);
  });

  it('stays while its operation goes on here (S4.2, past-successors.1)', () => {
    const { engagements } = ordering();
    const [engagement] = engagements.map((each) => ({ ...each, operation: 'past' }));
    expect(kept([deleted('a')], { awaiting: ['past'] })).toEqual(['a']);
    expect(kept([deleted('a')], { engagements: [engagement!] })).toEqual(['a']);
    const postponed = { running: ordering().running!, at: 1, entry: 0, engagement: engagement! };
    expect(kept([deleted('a')], { postponed })).toEqual(['a']);
  });

  it('stays while the action that has raised it may run again (S3.4, past-successors.3)', () => {
    const request = 'Room/k#life-1/0/order/place/1';
    expect(kept([deleted('a', { request })], { entry: 0 })).toEqual(['a']);
    expect(kept([deleted('a', { request })], { entry: 1 })).toEqual([]);
  });

  it('leaves nothing changed where nothing is past', () => {
    const { snapshot } = new Puppet(Room);
    expect(forgetPastSuccessors(Room, snapshot)).toBe(snapshot);
    const with1 = { ...snapshot, successors: [successor('a')] };
    expect(forgetPastSuccessors(Room, with1)).toBe(with1);
    const counted = { ...snapshot, successors: [deleted('a')] };
    expect(forgetPastSuccessors(counting(any({ in: 'Deleted' })), counted)).toBe(counted);
  });
});

describe('a successor that has rejected its event (S2.2, S3.3)', () => {
  it('goes like one that was deleted, where nothing else was ever heard of it (past-successors.1)', () => {
    expect(kept([unknown])).toEqual([]);
    expect(kept([{ ...unknown, operation: 'last' }])).toEqual(['r']);
  });

  it('stays where it has settled before, since it lives on: with its role, for later events', () => {
    const alive = { ...unknown, life: 'life-r', role: 'first' };
    expect(kept([alive])).toEqual(['r']);
    for (const code of ['gone', 'absent']) {
      const outcome = { ...rejected, rejection: { ...rejected.rejection!, code } };
      expect(kept([{ ...alive, outcome }])).toEqual([]);
    }
  });
});

describe('what a subscription counts for life (S4.3, past-successors.2)', () => {
  const patterns: readonly (readonly [string, Predicate, readonly string[]])[] = [
    ['any that was deleted', any({ of: Box, in: 'Deleted' }), ['c']],
    ['none that was deleted', none({ of: Box, in: 'Deleted' }), ['c']],
    ['at least two', atLeast(2, { of: Box, is: 'settled' }), ['b', 'c']],
    ['at least more than there are', atLeast(9, { of: Box, is: 'settled' }), ['a', 'b', 'c']],
    ['all, where none passes', all({ of: Box, in: 'Placed' }), ['c']],
    ['all, where all pass', all({ of: Box, is: 'settled' }), ['c']],
    ['any in a state that is left', any({ of: Box, in: 'Placed' }), []],
    ['others', any({ of: Room, in: 'Deleted' }), []],
  ];
  it.each(patterns)('%s: as many stay as its answer needs', (_name, when, expected) => {
    const past = [deleted('a'), deleted('b'), deleted('c')];
    expect(kept(past, { entity: counting(when) })).toEqual(expected);
  });

  it.each(patterns)('%s: the answer is the same, whatever the others come to', (_name, when) => {
    const past = [deleted('a'), unknown, deleted('b'), deleted('c')];
    const others = [
      [],
      [successor('x')],
      [successor('x', { event: 'pending' })],
      [deleted('x', { operation: 'last' })],
    ];
    for (const living of others) {
      const keys = kept([...past, ...living], { entity: counting(when) });
      const stay = [...past, ...living].filter(({ key }) => keys.includes(key));
      expect(matches(when, stay)).toBe(matches(when, [...past, ...living]));
      expect(stay.length).toBeLessThanOrEqual(past.length + living.length);
    }
  });

  it('in several patterns: what each of them needs', () => {
    const entity = counting({
      kind: 'or',
      predicates: [any({ key: 'a' }), { kind: 'not', predicate: all({ role: 'first', in: 'Deleted' }) }],
    });
    const past = [deleted('a'), deleted('b', { role: 'first' }), deleted('c', { role: 'first' }), deleted('d')];
    expect(kept(past, { entity })).toEqual(['a', 'c']);
  });
});

/** A room in the middle of an event. */
function ordering(): Snapshot {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: [] }, { operation: 'op' });
  return room.snapshot;
}

describe('the snapshot of an entity that creates and deletes for life (Q1)', () => {
  it('takes no more room after many than after a few, and its budget is not used up (commit.4)', () => {
    const room = new Puppet(Room);
    room.snapshot = { ...room.snapshot, state: 'Ready' };
    const long = 'x'.repeat(900);
    const sizes: number[] = [];
    for (let number = 0; number < 600; number++) {
      const key = `${long}-${number}`;
      const request = { id: `order-${number}`, event: 'place' };
      room.raise('empty', undefined, { id: `empty-${number}` });
      room.end('Emptying', { raises: [{ to: { type: 'Box', key }, creates: true, request, judges: true }] });
      const from = { type: 'Box', key, life: `life-${number}` };
      room.report({ ...{ kind: 'report', from, toLife: 'life-1', version: 3, outcome: gone }, ended: [request.id] });
      room.snapshot = { ...room.snapshot, state: 'Ready' };
      // Its action has come to rest: another event may come.
      room.raise('empty', undefined, { id: `rest-${number}` });
      room.end();
      expect(room.snapshot.lastError).toBeUndefined();
      sizes.push(JSON.stringify(room.snapshot.successors).length);
      room.effects.length = 0;
      room.records.length = 0;
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * sizes[0]!);
  });

  it('has room for what comes though all of its budget is taken by what is past (commit.4)', () => {
    const room = new Puppet(Room);
    const past = Array.from({ length: 3_000 }, (_, number) => deleted(`${'x'.repeat(200)}-${number}`));
    room.snapshot = { ...room.snapshot, state: 'Ready', successors: past };
    room.raise('empty');
    const request = { id: 'order', event: 'place' };
    room.end('Emptying', { raises: [{ to: { type: 'Box', key: 'new' }, creates: true, request, judges: true }] });
    expect(room.snapshot).toMatchObject({ state: 'Emptying' });
    expect(room.snapshot.successors.at(-1)).toMatchObject({ key: 'new' });
  });
});
