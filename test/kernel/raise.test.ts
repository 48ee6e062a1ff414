import { describe, expect, it } from 'vitest';
import { raiseOn, type RaiseIntent } from '../../src/kernel/successors/raise.js';
import { viewOf } from '../../src/kernel/rules/reading.js';
import { noteRejected, notRejected } from '../../src/kernel/engagements/rejected-raises.js';
import { raisedAgain } from '../../src/protocol/raise-id.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import type { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const intent = (key: string, more: Partial<RaiseIntent> = {}): RaiseIntent => ({
  ...{ to: { type: 'Box', key }, creates: true, request: { id: `order-${key}`, event: 'place' }, judges: true },
  ...more,
});
const successor = (key: string, more: Partial<Successor> = {}): Successor => ({
  ...{ type: 'Box', key, operation: 'op', position: '1.1', request: `order-${key}`, event: 'settled', version: 3 },
  ...{ life: `life-${key}`, outcome: { state: 'Placed', version: 3, health: 'normal', waiting: false } },
  ...more,
});

/** A room that orders its boxes for the operation `op`. */
function ordering(more: Partial<Snapshot> = {}): Snapshot {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: [] }, { operation: 'op' });
  const [engagement] = room.snapshot.engagements;
  return {
    ...room.snapshot,
    engagements: [
      { ...engagement!, id: 'earlier' },
      { ...engagement!, position: '1' },
    ],
    ...more,
  };
}

describe('an event that an action raises on another entity (S3.3)', () => {
  const from = { type: 'Room', key: 'k', life: 'life-1', judges: true };

  it('creates the entity, or goes to it, with all that it has to know', () => {
    const { effects } = raiseOn(ordering({ tenant: 'acme' }), [
      intent('a', { role: 'first', follows: true }),
      intent('b', { creates: false, judges: false, request: { id: 'look-b', event: 'look', params: { x: 1 } } }),
    ]);
    const known = { operation: 'op', tenant: 'acme' };
    expect(effects).toStrictEqual([
      {
        kind: 'create',
        to: { type: 'Box', key: 'a' },
        creation: {
          ...{ kind: 'create', key: 'a' },
          request: { id: 'order-a', event: 'place', ...known, from: { ...from, follows: true }, position: '1.1' },
        },
      },
      {
        kind: 'send',
        to: { type: 'Box', key: 'b' },
        message: {
          ...{ kind: 'raise', key: 'b' },
          request: {
            id: 'look-b',
            event: 'look',
            params: { x: 1 },
            ...known,
            from: { ...from, judges: false },
            position: '1.2',
          },
        },
      },
    ]);
  });

  it('is noted as a cause once, however often attempts raise it again (S3.4, Q1)', () => {
    const { snapshot } = raiseOn(ordering(), [intent('a')]);
    const again = raiseOn(snapshot, [intent('a'), intent('b')]).snapshot;
    expect(again.engagements.at(-1)?.caused).toEqual([
      { engagement: 'order-a', on: 'Box/a', event: 'place' },
      { engagement: 'order-b', on: 'Box/b', event: 'place' },
    ]);
  });

  it('makes it a successor, caused by the latest event, which is looked after from now on (S4.2, S4.4)', () => {
    const { snapshot } = raiseOn(ordering({ look: { since: 1, count: 3 } }), [
      intent('a', { role: 'first' }),
      intent('b'),
    ]);
    const pending = { operation: 'op', event: 'pending', version: 0 };
    expect(snapshot.successors).toStrictEqual([
      { type: 'Box', key: 'a', role: 'first', ...pending, position: '1.1', request: 'order-a' },
      { type: 'Box', key: 'b', ...pending, position: '1.2', request: 'order-b' },
    ]);
    expect(snapshot.engagements.map(({ caused }) => caused)).toEqual([
      [],
      [
        { engagement: 'order-a', on: 'Box/a', event: 'place' },
        { engagement: 'order-b', on: 'Box/b', event: 'place' },
      ],
    ]);
    expect(snapshot).not.toHaveProperty('look');
    const again = raiseOn(snapshot, [intent('c')]).snapshot;
    expect(again.engagements.at(-1)?.caused.map(({ engagement }) => engagement)).toEqual([
      'order-a',
      'order-b',
      'order-c',
    ]);
  });

  it('keeps what is known of the same entity, and its place in the operation', () => {
    const known = [successor('a', { role: 'first', position: '1.7' }), successor('z', { operation: 'other' })];
    const raised = raiseOn(ordering({ successors: known }), [
      intent('a', { creates: false, request: { id: 'look-a', event: 'look' } }),
      intent('z', { role: 'last' }),
      intent('y'),
    ]).snapshot.successors;
    const { outcome } = known[0]!;
    const seen = { operation: 'op', event: 'pending' };
    expect(raised).toStrictEqual([
      {
        ...{ type: 'Box', key: 'a', role: 'first', ...seen, position: '1.7', request: 'look-a', version: 3 },
        life: 'life-a',
        outcome,
      },
      {
        ...{ type: 'Box', key: 'z', role: 'last', ...seen, position: '1.2', request: 'order-z', version: 3 },
        life: 'life-z',
        outcome,
      },
      { type: 'Box', key: 'y', ...seen, position: '1.3', request: 'order-y', version: 0 },
    ]);
  });

  it('forgets what was known of one that is created anew by another request', () => {
    const [raised] = raiseOn(ordering({ successors: [successor('a', { role: 'first' })] }), [
      intent('a', { request: { id: 'another', event: 'place' } }),
    ]).snapshot.successors;
    expect(raised).toStrictEqual({
      ...{ type: 'Box', key: 'a', role: 'first', operation: 'op', position: '1.1', request: 'another' },
      ...{ event: 'pending', version: 0 },
    });
  });

  it('carries the fence of the reservation under which it is raised (S3.6)', () => {
    const on = { type: 'Box', key: 'a', life: 'life-a', fence: 4 };
    const held = { wait: 'w', on, operation: 'op', until: 9, hold: 'operation' } as const;
    const { effects } = raiseOn(ordering({ holds: [held] }), [intent('a'), intent('b')]);
    const fences = effects.map((effect) => (effect.kind === 'create' ? effect.creation.request?.fence : 'none'));
    expect(fences).toEqual([{ life: 'life-a', fence: 4 }, undefined]);
  });
});

describe('what an action has raised in vain (S2.2, S3.4)', () => {
  const own = 'Room/k#life-1/0/order/place/1';

  it('is noted once, and only where this entry has raised it', () => {
    const { snapshot } = new Puppet(Room);
    const others = ['Room/k#life-0/0/order/place/1', 'Room/k#life-1/1/order/place/1', 'order-a'];
    expect(noteRejected(snapshot, others)).toBe(snapshot);
    const noted = noteRejected(snapshot, [...others, own]);
    expect(noted.rejectedRaises).toEqual([own]);
    expect(noteRejected(noted, [own])).toBe(noted);
    const again = raisedAgain(own);
    const twice = noteRejected(noted, [own, again]);
    expect(twice.rejectedRaises).toEqual([own, again]);
    expect([snapshot, noted, twice].map((each) => notRejected(each, own))).toEqual([own, again, raisedAgain(again)]);
  });
});

describe('how an entity is seen by others (S3.3, S3.7)', () => {
  it('is as it is committed, settled only where nothing is to come', () => {
    const box = new Puppet(Box);
    const { type, key, properties, links, subordinates } = box.snapshot;
    expect(viewOf(Box, box.snapshot)).toStrictEqual({
      ...{ type, key, state: 'Absent', version: 0, properties, links, subordinates, health: 'normal', settled: true },
    });
    const shown = (snapshot: Partial<Snapshot>, entity: typeof Box | typeof Room | typeof Job = Box) => {
      const seen = viewOf(entity, { ...box.snapshot, ...snapshot });
      return seen && [seen.health, seen.settled];
    };
    const running = { action: 'put', kind: 'automatic', startedAt: 1 } as const;
    expect(shown({ state: 'Placing' })).toEqual(['normal', false]);
    expect(shown({ state: 'Placing', exhausted: true })).toEqual(['error', true]);
    expect(shown({ state: 'Lost' })).toEqual(['error', true]);
    expect(shown({ state: 'Placed', running })).toEqual(['normal', false]);
    expect(shown({ state: 'Placed', postponed: { running, at: 1, entry: 0 } })).toEqual(['normal', false]);
    expect(shown({ state: 'Waiting' }, Room)).toEqual(['normal', false]);
    expect(shown({ state: 'Deleted' })).toBeUndefined();
  });
});
