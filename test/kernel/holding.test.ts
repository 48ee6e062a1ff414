import { describe, expect, it } from 'vitest';
import {
  askFor,
  endedLease,
  heldOn,
  heldReservations,
  hold,
  inKeyOrder,
  outOfOrder,
  keptReservations,
  releaseReservations,
} from '../../src/kernel/reservations/holding.js';
import type { View } from '../../src/protocol/reading.js';
import type { HeldReservation } from '../../src/protocol/kept-reservation.js';
import type { Hold } from '../../src/protocol/reservation.js';
import type { Awaited, RunningAction, Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const NOW = 1_000;
const held = (key: string, more: Partial<HeldReservation> = {}): HeldReservation => ({
  ...{ wait: `wait-${key}`, on: { type: 'Box', key, life: `life-${key}`, fence: 3 } },
  ...{ operation: 'op', until: 2_000, hold: 'action' },
  ...more,
});
const ref = (key: string) => ({ type: 'Box', key });
const awaited = (kind: Awaited['kind'], key: string): Awaited =>
  ({ kind, wait: `w-${key}`, on: `Box/${key}`, until: 9_000, hold: 'action' }) as Awaited;

/** A clerk whose action runs for the operation `op`. */
function acting(running: Partial<RunningAction> = {}, more: Partial<Snapshot> = {}): Snapshot {
  const puppet = new Puppet(Box);
  puppet.raise('place', { label: 'x' }, { operation: 'op' });
  const { snapshot } = puppet;
  return { ...snapshot, running: { ...snapshot.running!, ...running }, ...more };
}

/** One that does nothing. */
const idle = (more: Partial<Snapshot> = {}): Snapshot => ({ ...new Puppet(Box).snapshot, ...more });
const waits = (holds: readonly HeldReservation[]) => holds.map(({ wait }) => wait);

describe('what an entity has reserved (S3.6)', () => {
  it('is what its action holds, and what its operation does; nothing of another one', () => {
    const holds = [held('old'), held('other', { operation: 'other' })];
    expect(waits(heldReservations(acting({ holds: [held('new')] }, { holds })))).toEqual(['wait-old', 'wait-new']);
    expect(heldReservations(acting({}, { holds: [] }))).toEqual([]);
    expect(heldReservations(idle({ holds }))).toEqual([]);
  });

  it('on one entity is the latest reservation of it', () => {
    const holds = [held('a', { wait: 'first' }), held('a', { wait: 'second' }), held('b')];
    expect(heldOn(acting({ holds }), ref('a'))?.wait).toBe('second');
    expect(heldOn(acting({ holds }), ref('c'))).toBeUndefined();
  });

  it('is taken in key order, and none that is lower than one that is held or waited for (holding.1)', () => {
    expect(inKeyOrder(['b', 'c', 'a'].map(ref)).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    const problem = (snapshot: Snapshot, ...keys: readonly string[]) => outOfOrder(snapshot, keys.map(ref), NOW);
    expect(problem(acting(), 'a', 'b', 'c')).toBeUndefined();
    const holding = acting({ holds: [held('b')] });
    expect(problem(holding, 'b', 'c', 'd')).toBeUndefined();
    const wrong = 'Box/k reserves Box/a while it has reserved Box/b, which comes after it';
    expect(problem(holding, 'a')).toContain(wrong);
    expect(problem(acting({ awaits: [awaited('reservation', 'b')] }), 'a')).toContain(wrong);
    expect(problem(acting({ awaits: [awaited('view', 'b')] }), 'a')).toBeUndefined();
    expect(problem(acting({ holds: [held('b', { until: NOW })] }), 'a')).toBeUndefined();
    expect(problem(acting({ holds: [held('b', { until: NOW + 1 })] }), 'a')).toContain(wrong);
    // An entity that is held already may be reserved again: that is a new lease.
    expect(problem(acting({ holds: [held('b'), held('c')] }), 'b')).toBeUndefined();
  });

  it('must hold still when an event is raised under it (reservation.3)', () => {
    const ended = (until: number) => endedLease(acting({ holds: [held('b', { until })] }), ref('b'), 'look', NOW);
    expect(ended(NOW + 1)).toBeUndefined();
    expect(ended(NOW)).toContain('1970-01-01T00:00:01.000Z');
    expect(endedLease(acting(), ref('b'), 'look', NOW)).toBeUndefined();
  });
});

describe('the request for a reservation (S3.6)', () => {
  const terms = { wait: 'w', leaseMs: 5, hold: 'action', until: 9 } as const;
  const from = { type: 'Box', key: 'k', life: 'life-1' };

  it('says who asks for it, in which operation and for which tenant', () => {
    const asking = { kind: 'reserve', from, ...terms };
    expect(askFor(acting(), ref('b'), terms, NOW)).toStrictEqual({
      kind: 'send',
      to: ref('b'),
      message: { ...asking, operation: 'op' },
    });
    expect(askFor(idle({ tenant: 'acme' }), ref('b'), terms, NOW)).toStrictEqual({
      ...{ kind: 'send', to: ref('b'), message: { ...asking, operation: '', tenant: 'acme' } },
    });
  });

  it('asks for a new lease where the old one has not ended', () => {
    const renews = (until: number) => {
      const effect = askFor(acting({ holds: [held('b', { until })] }), ref('b'), terms, NOW);
      return effect.kind === 'send' && effect.message.kind === 'reserve' ? effect.message.renews : 'none';
    };
    expect([renews(NOW + 1), renews(NOW)]).toEqual([3, undefined]);
  });
});

describe('a reservation that was granted (S3.6)', () => {
  const granted = { fence: 4, life: 'life-b', until: 7_000 };
  const view: View = { kind: 'view', from: ref('b'), toLife: 'life-1', wait: 'w', granted };
  const awaits = (until: Hold) =>
    ({ ...awaited('reservation', 'b'), hold: until }) as Extract<Awaited, { kind: 'reservation' }>;
  const on = { ...ref('b'), fence: 4, life: 'life-b' };

  it('is held by the action; its operation is told where it is to last as long as that', () => {
    const before = acting({ holds: [held('a')] });
    const mine = hold(before, awaits('action'), view);
    expect(mine.snapshot.running?.holds).toEqual([
      held('a'),
      { wait: 'w', on, operation: 'op', until: 7_000, hold: 'action' },
    ]);
    expect(mine.effects).toEqual([]);
    const kept = hold(acting(), awaits('operation'), view);
    expect(kept.snapshot.running?.holds).toEqual([{ wait: 'w', on, operation: 'op', until: 7_000, hold: 'operation' }]);
    expect(kept.effects).toEqual([
      { kind: 'tell', operation: 'op', message: { kind: 'reserved', on: ref('b'), wait: 'w' } },
    ]);
  });

  it('is none where nothing was granted, or nothing runs', () => {
    const { granted: _, ...nothing } = view;
    const before = acting();
    expect(hold(before, awaits('operation'), nothing)).toEqual({ snapshot: before, effects: [] });
    const resting = idle();
    expect(hold(resting, awaits('operation'), view)).toEqual({ snapshot: resting, effects: [] });
  });

  it('is kept at the end of the action where it lasts as long as the operation, else released (holding.2)', () => {
    const before = acting(
      { holds: [held('a'), held('b', { hold: 'operation' })] },
      { holds: [held('old', { hold: 'operation' }), held('other', { operation: 'other' })] },
    );
    const kept = keptReservations(before);
    expect(waits(kept)).toEqual(['wait-old', 'wait-b']);
    expect(keptReservations(idle({ holds: [held('old')] }))).toEqual([]);
    const effect = { kind: 'open', operation: {} } as never;
    const ended = releaseReservations(before, { snapshot: { ...before, holds: kept }, effects: [effect] }, NOW);
    expect(ended.effects).toEqual([
      effect,
      { kind: 'send', to: ref('a'), message: { kind: 'release', wait: 'wait-a' } },
    ]);
    expect(waits(ended.snapshot.holds)).toEqual(['wait-old', 'wait-b']);
  });

  it('is forgotten after the action that its end was told to', () => {
    const late = acting({}, { holds: [held('a', { until: NOW }), held('b', { until: NOW + 1 })] });
    expect(waits(releaseReservations(late, { snapshot: late, effects: [] }, NOW).snapshot.holds)).toEqual(['wait-b']);
    const good = acting({}, { holds: [held('b')] });
    expect(releaseReservations(good, { snapshot: good, effects: [] }, NOW)).toEqual({ snapshot: good, effects: [] });
    expect(releaseReservations(good, { snapshot: good, effects: [] }, NOW).snapshot).toBe(good);
  });
});
