import { describe, expect, it } from 'vitest';
import { property, unstable } from '../../src/definition/index.js';
import { nextTick } from '../../src/definition/calendar/next-tick.js';
import type { AnyEntity } from '../../src/definition/entity.js';
import { describeSnapshot, explainEntity } from '../../src/kernel/index.js';
import { keepTicks, undecidedTicks } from '../../src/kernel/triggers/calendar.js';
import { scheduledTimers } from '../../src/kernel/triggers/timers.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Bell } from '../entities/bell.js';
import { Puppet } from '../support/entities.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Three o'clock in Berlin on 2 January 1970, in UTC. */
const THREE = DAY + 2 * HOUR;

/** Decides what has yet to be decided, as a driver does. */
function decide(bell: Puppet, entity: AnyEntity = bell.entity): number {
  const undecided = undecidedTicks(entity, bell.snapshot, bell.now);
  if (undecided.length === 0) return 0;
  const ticks = undecided.map(({ question: { after, ...calendar } }) => nextTick(calendar, after));
  bell.apply({ snapshot: keepTicks(bell.snapshot, undecided, ticks), effects: [] });
  return undecided.length;
}

/** A bell that was hung on 1 January at noon. */
function hung(entity: AnyEntity = Bell): Puppet {
  const bell = new Puppet(entity);
  bell.now = DAY / 2;
  bell.raise('hang');
  bell.end('Hung');
  decide(bell);
  return bell;
}

function ring(bell: Puppet): void {
  bell.startTimer();
  bell.end();
}

/** The same bell with another timer. */
const withTimer = (timer: object): AnyEntity => ({
  ...Bell,
  timers: { morning: { raise: 'ring', ...timer } } as never,
});

describe('a timer by calendar', () => {
  it('waits for nothing until its tick is decided, and is asked for once (S4.5, calendar.1)', () => {
    const bell = new Puppet(Bell);
    expect(decide(bell)).toBe(0);
    bell.now = DAY / 2;
    bell.raise('hang');
    bell.end('Hung');
    expect(bell.next()).toEqual({ kind: 'rest' });
    expect(bell.snapshot.calendar).toEqual({ morning: { after: DAY / 2 } });
    expect(decide(bell)).toBe(1);
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE });
    expect(decide(bell)).toBe(0);
  });

  it('may have a name that every object knows (S1.5a, S4.5)', () => {
    for (const name of ['toString', '__proto__']) {
      const timers = Object.fromEntries([[name, Bell.timers['morning']]]);
      const bell = hung({ ...Bell, timers } as AnyEntity);
      // As if a newer declaration had brought it.
      bell.snapshot = { ...bell.snapshot, calendar: {} };
      expect(bell.next()).toEqual({ kind: 'rest' });
      expect(decide(bell)).toBe(1);
      expect(bell.next()).toEqual({ kind: 'rest', until: THREE });
      bell.pass();
      ring(bell);
      expect(decide(bell)).toBe(1);
    }
  });

  it('makes one of the ticks that were missed (S4.5, calendar.2)', () => {
    const bell = hung();
    bell.raise('knock');
    bell.now = THREE + 3 * DAY;
    bell.end('Hung');
    ring(bell);
    // The next one is due before it is decided, and comes at once.
    bell.now += 2 * DAY;
    decide(bell);
    ring(bell);
    decide(bell);
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE + 6 * DAY });
  });

  it('drops a tick where its event is not valid, and is not asked for again before (S4.5, calendar.3)', () => {
    const bell = hung();
    bell.raise('muffle');
    bell.end('Muffled');
    expect(decide(bell)).toBe(0);
    bell.raise('free');
    bell.end('Hung');
    expect(decide(bell)).toBe(0);
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE });
    bell.raise('muffle', undefined, { id: 'muffled-again' });
    bell.end('Muffled');
    bell.now = THREE + HOUR;
    expect(bell.next()).toEqual({ kind: 'rest' });
    bell.raise('free', undefined, { id: 'freed-again' });
    bell.end('Hung');
    decide(bell);
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE + DAY });
  });

  it('drops a tick where the guard of its event does not hold (S2.2, S4.5, calendar.3)', () => {
    const ring = { ...Bell.events.ring, when: [{ is: property('knocks').isAtLeast(1) }] };
    const bell = hung({ ...Bell, events: { ...Bell.events, ring } });
    expect(bell.snapshot.calendar).toBeUndefined();
    bell.now = THREE + HOUR;
    bell.raise('knock');
    bell.end(undefined, { properties: { ...bell.snapshot.properties, knocks: 1 } });
    expect(decide(bell)).toBe(1);
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE + DAY });
  });

  it('takes another calendar of a newer build, except for a tick that is due (S4.5, calendar.4)', () => {
    const later = withTimer({ cron: '0 5 * * *', timeZone: 'Europe/Berlin' });
    const bell = hung();
    expect(undecidedTicks(later, bell.snapshot, bell.now)).toHaveLength(1);
    decide(bell, later);
    expect(bell.snapshot.calendar?.['morning']).toMatchObject({ at: THREE + 2 * HOUR, cron: '0 5 * * *' });
    const due = hung();
    due.now = THREE + MINUTE;
    expect(undecidedTicks(later, due.snapshot, due.now)).toEqual([]);
  });

  it('takes a calendar in place of a period, and a period in place of a calendar (S4.5, calendar.4)', () => {
    const periodic = hung(withTimer({ every: '1h' }));
    expect(periodic.snapshot.calendar).toBeUndefined();
    expect(decide(periodic, Bell)).toBe(1);
    const changed = hung();
    const [tick] = scheduledTimers(withTimer({ every: '1h' }), changed.snapshot);
    expect(tick?.at).toBe(DAY / 2 + 1_000);
  });

  it('forgets an answer for which it does not wait any more (S4.5, calendar.2)', () => {
    const bell = new Puppet(Bell);
    bell.raise('hang');
    bell.end('Hung');
    const asked = undecidedTicks(Bell, bell.snapshot, bell.now);
    bell.raise('muffle');
    bell.end('Muffled');
    bell.now += DAY;
    bell.raise('free');
    bell.end('Hung');
    const after: Snapshot = keepTicks(bell.snapshot, asked, [THREE]);
    expect(after.calendar).toEqual({ morning: { after: bell.now } });
  });

  it('is explained in words, with its next tick (S5.4, S5.6)', () => {
    const { snapshot } = hung();
    expect(explainEntity(Bell, snapshot)).toEqual([
      {
        ...{ kind: 'timer', timer: 'morning', event: 'ring', at: THREE },
        calendar: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
      },
    ]);
    expect(describeSnapshot(Bell, snapshot)).toContain(
      'Raises `ring` at 1970-01-02T02:00:00.000Z, every day at 03:00 in Europe/Berlin.',
    );
  });

  it('drops it too where an attempt makes the guard hold and stays in the state (S2.2, S4.5, calendar.3)', () => {
    const ring = { ...Bell.events.ring, when: [{ is: property('knocks').isAtLeast(1) }] };
    const actions = { ...Bell.actions, cast: { in: 'Hung', to: ['Hung', 'Muffled'] } };
    const states = { ...Bell.states, Hung: unstable({ wait: '1d' }) };
    const bell = hung({ ...Bell, states, actions, events: { ...Bell.events, ring } } as unknown as AnyEntity);
    bell.now += DAY;
    // The guard holds, not any more, and again after the tick that was decided first.
    for (const [knocks, waitMs] of [
      [1, HOUR],
      [0, DAY],
      [1, DAY],
    ] as const) {
      bell.startAutomatic();
      bell.end('Hung', { properties: { ...bell.snapshot.properties, knocks }, waitMs });
      decide(bell);
      bell.now += waitMs;
    }
    bell.now -= DAY;
    expect(bell.next()).toEqual({ kind: 'rest', until: THREE + 2 * DAY });
  });

  it.each([
    ['by calendar', Bell, THREE + DAY],
    ['with a period', withTimer({ every: '1d' }), 2 * DAY + 1_000],
  ] as const)(
    'drops one %s too where the last attempt makes the guard hold (S2.2, S4.5, calendar.3, timers.2)',
    (_, base, next) => {
      const ring = { ...Bell.events.ring, when: [{ is: property('knocks').isAtLeast(1) }] };
      const actions = { ...Bell.actions, cast: { in: 'Hung', to: ['Hung', 'Muffled'] } };
      const states = { ...Bell.states, Hung: unstable({ retry: { attempts: 1 } }) };
      const bell = hung({ ...base, states, actions, events: { ...Bell.events, ring } } as unknown as AnyEntity);
      bell.startAutomatic();
      bell.now = THREE + 2 * HOUR + DAY / 2;
      bell.end('Hung', { properties: { ...bell.snapshot.properties, knocks: 1 } });
      expect(bell.snapshot.exhausted).toBe(true);
      decide(bell);
      expect(bell.next()).toEqual({ kind: 'rest', until: next });
    },
  );
});
