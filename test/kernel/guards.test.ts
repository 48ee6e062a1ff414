import { describe, expect, it } from 'vitest';
import { and, linked, not, or, parameter, property, type Condition } from '../../src/definition/index.js';
import { describeCondition } from '../../src/definition/condition.js';
import { explainEntity, stuckEntity } from '../../src/kernel/index.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { holds } from '../../src/kernel/rules/event-guard.js';
import { Puppet } from '../support/entities.js';
import { Volume } from '../entities/volume.js';

const HELD = {
  properties: { size: 4, name: 'b', at: '2026-11-29', list: [1, 'two'], none: null, empty: [], deep: { flag: true } },
  links: { host: 'h1', parts: [] },
};

/** Conditions that hold for `HELD` and the parameters `{ size: 5 }`, and those that do not. */
const TRUE: readonly Condition[] = [
  property('size').is(4),
  property('size').isNot('4'),
  property('gone').isNot(1),
  property('size').isOneOf([3, 4]),
  property('size').isAbove(3),
  property('size').isAtLeast(4),
  property('size').isBelow(4.5),
  property('size').isAtMost(4),
  property('at').isBelow('2026-12-01'),
  property('name').isAbove('a'),
  property('list').includes('two'),
  property('deep.flag').is(true),
  property('empty').isNot(0),
  linked('host').is('h1'),
  linked('host').isSet(),
  not(linked('parts').isSet()),
  not(property('none').isSet()),
  not(property('empty').isSet()),
  not(property('gone.deep').isSet()),
  parameter('size').isAbove(property('size')),
  { kind: 'and', predicates: [] },
  and(property('size').is(4), or(property('size').is(1), property('name').is('b'))),
];
const FALSE: readonly Condition[] = [
  { kind: 'or', predicates: [] },
  property('size').is('4'),
  property('size').isAbove('3'),
  property('gone').isBelow(1),
  property('none').isAtMost(0),
  property('deep').is('[object Object]'),
  property('name').includes('b'),
  property('list').includes('t'),
  property('__proto__').isSet(),
  property('list.length').isSet(),
  parameter('size').is(property('size')),
];

describe('a condition (S2.2)', () => {
  it.each(TRUE.map((condition) => [describeCondition(condition), condition] as const))('holds: %s', (_, condition) => {
    expect(holds(condition, HELD, { params: { size: 5 } })).toBe(true);
    expect(holds(not(condition), HELD, { params: { size: 5 } })).toBe(false);
  });

  it.each(FALSE.map((condition) => [describeCondition(condition), condition] as const))(
    'does not hold: %s',
    (_, condition) => {
      expect(holds(condition, HELD, { params: { size: 5 } })).toBe(false);
    },
  );

  it('is open where parameters decide it that are not known', () => {
    const open = parameter('size').is(1);
    expect(holds(open, HELD)).toBeUndefined();
    expect(holds(not(open), HELD)).toBeUndefined();
    expect(holds(and(open, property('size').is(4)), HELD)).toBeUndefined();
    expect(holds(and(open, property('size').is(5)), HELD)).toBe(false);
    expect(holds(or(open, property('size').is(4)), HELD)).toBe(true);
    expect(holds(or(open, property('size').is(5)), HELD)).toBeUndefined();
    expect(holds(property('size').is(parameter('size')), HELD)).toBeUndefined();
  });

  it('is said in words', () => {
    const condition = and(
      or(property('a.b').is('x'), not(linked('c').isSet())),
      not(parameter('d').isOneOf([1, true])),
    );
    expect(describeCondition(condition)).toBe("(a.b is 'x' or c is not set) and not (parameter d is one of 1, true)");
  });
});

describe('an event with a guard (S2.2)', () => {
  function ready(): Puppet {
    const volume = new Puppet(Volume);
    volume.raise('create');
    volume.end('Ready');
    return volume;
  }
  function locked(): Puppet {
    const volume = ready();
    volume.raise('lock', { by: 'ann' });
    volume.end(undefined, { properties: { ...volume.snapshot.properties, lock: { held: true, by: 'ann' } } });
    return volume;
  }

  it('gets the answer of the first guard that does not hold (event-guard.1, event-guard.3)', () => {
    const volume = locked();
    const before = volume.snapshot;
    expect(volume.raise('remove')).toMatchObject({
      rejection: {
        code: 'volume_locked',
        message: expect.stringContaining('The volume is locked. Volume/k is Ready.') as string,
      },
    });
    expect(volume.raise('resize', 'wrong')).toMatchObject({ rejection: { code: 'volume_locked' } });
    expect(volume.snapshot).toEqual(before);
    expect(ready().raise('resize', { size: 'wrong' })).toMatchObject({ rejection: { code: 'invalid_parameters' } });
    expect(ready().raise('resize', { size: 1 })).toMatchObject({ rejection: { code: 'not_allowed_now' } });
    expect(ready().raise('resize', { size: 2 })).toMatchObject({ status: 'accepted' });
  });

  it('is told with its reason, while an action runs as one that waits (S2.6)', () => {
    const of = (volume: Puppet, name: string) =>
      allowedEvents(Volume, volume.snapshot).find(({ event }) => event === name);
    expect(of(ready(), 'remove')).toMatchObject({ allowed: true });
    expect(of(locked(), 'remove')).toMatchObject({ allowed: false, rejection: { code: 'volume_locked' } });
    const unlocking = locked();
    unlocking.raise('unlock');
    expect(of(unlocking, 'remove')).toMatchObject({ allowed: false, behind: 'unlock' });
    expect(unlocking.raise('remove')).toMatchObject({ status: 'waiting', behind: 'unlock' });
  });

  it('drops the ticks of a timer where the guard does not hold, also without a new entry (S4.5, timers.2)', () => {
    const volume = locked();
    expect(volume.next()).toEqual({ kind: 'rest' });
    // Two periods and a half.
    volume.now = volume.snapshot.bornAt + 1_000;
    const { entry } = volume.snapshot;
    volume.raise('unlock');
    volume.end(undefined, { properties: { ...volume.snapshot.properties, lock: { held: false } } });
    expect(volume.snapshot.entry).toBe(entry);
    expect(volume.next()).toEqual({ kind: 'rest', until: volume.snapshot.bornAt + 1_200 });
  });

  it('is explained where time or a subscription would raise it, and the entity is stuck (S5.4, event-guard.2)', () => {
    const lent = ready();
    lent.raise('lend');
    lent.end('Lent');
    const timer = () => explainEntity(Volume, lent.snapshot).find(({ kind }) => kind === 'timer');
    expect(timer()).toMatchObject({ event: 'giveBack', at: lent.snapshot.enteredAt + 500 });
    expect(timer()).not.toHaveProperty('guard');
    lent.snapshot = { ...lent.snapshot, properties: { ...lent.snapshot.properties, lock: { held: true } } };
    expect(timer()).toMatchObject({ event: 'giveBack', guard: 'lock.held is false' });
    expect(lent.next()).toEqual({ kind: 'rest' });

    const copying = { ...lent.snapshot, state: 'Copying' };
    expect(explainEntity(Volume, copying)).toMatchObject([{ kind: 'subscription', guard: 'lock.held is false' }]);
    expect(stuckEntity(Volume, copying)).toMatchObject({
      reason: 'dead_end',
      message: expect.stringContaining("'copied' is allowed only if lock.held is false") as string,
    });
  });
});
