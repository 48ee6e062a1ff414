import type { Calendar } from '../../definition/calendar/calendar.js';
import { nextTick } from '../../definition/calendar/next-tick.js';
import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { OneShotTimer } from '../../definition/timer.js';
import { asList } from '../../definition/names.js';
import { calendarOf } from '../../definition/timer.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Fact, Invariant, Overview, Subject } from '../fact.js';
import { LONGEST_LAG_MS } from '../fault.js';
import { unmetGuards } from './unmet-guards.js';

/** Something that time raises in a state, and when. */
interface Due {
  readonly name: string;
  readonly raise: string;
  readonly at: number;
}

/** S4.3, S4.5: what time raises comes when its time has come, not before, and a tick once in each period. */
export function timersInTime(): Invariant {
  /** Life and timer -> the period in which it ticked last; of a timer by calendar, when it ticked last, or was seen where it cannot. */
  const ticked = new Map<string, number>();
  /** Life and limit -> since when the entity has been in its states. The snapshot could lose that with each move. */
  const within = new Map<string, number>();
  /** Life -> since when it lets its task end, though the events that waited were withdrawn. Then it goes on at once. */
  const yielding = new Map<string, number>();
  return {
    name: 'time raises its events in time',
    hear(fact, all) {
      if (fact.kind === 'changed') return note(fact);
      if (fact.kind === 'migrated') return noteAgain(fact);
      if (fact.kind === 'paused') {
        noteDropped(all);
        noteYielding(all);
        return overdue(all, within, yielding);
      }
      return fact.kind === 'started' ? start(fact, all.now) : undefined;
    },
  };

  function note({ by, before, after }: Extract<Fact, { kind: 'changed' }>): undefined {
    const event = before?.running?.kind === 'event' ? before.engagements.at(-1) : undefined;
    for (const [name, { in: places, raise }] of Object.entries(by.entity.limits ?? {})) {
      const place = `${by.life} ${name}`;
      if (!places.includes(after.state)) within.delete(place);
      else if (!before || !places.includes(before.state)) within.set(place, after.enteredAt);
      // It has come, and begins again.
      else if (event?.eventType === 'timer' && event.event === raise) within.set(place, startOf(after, name));
    }
  }

  /** A migration may move the entity, and rename its states. */
  function noteAgain({ by, after }: Extract<Fact, { kind: 'migrated' }>): undefined {
    for (const name of Object.keys(by.entity.limits ?? {})) within.set(`${by.life} ${name}`, startOf(after, name));
  }

  function start({ by, snapshot }: Extract<Fact, { kind: 'started' }>, now: number): string | undefined {
    const engagement = snapshot.engagements.at(-1);
    const { running } = snapshot;
    if (running?.kind !== 'event' || engagement?.eventType !== 'timer' || running.restarts) return undefined;
    const { event } = engagement;
    const said = `${by.id} raises '${event}' in ${snapshot.state}`;
    if (running.timer === undefined) {
      return oneShots(by, snapshot, within).some(({ at }) => at <= now) ? undefined : `${said} before its time`;
    }
    const { every } = by.entity.timers[running.timer]!;
    if (every === undefined) {
      const calendar = calendarOf(by.entity.timers[running.timer]!)!;
      const name = calendarName(by, running.timer, calendar);
      const since = ticked.get(name);
      ticked.set(name, running.startedAt);
      // A newer build lets a tick come that was due by another calendar.
      if (since === undefined) return undefined;
      return nextTick(calendar, since) <= running.startedAt
        ? undefined
        : `${said} before the next time of its calendar`;
    }
    const name = `${by.life} ${running.timer}`;
    // By the clock of the service, which may lag behind a timer that has ended.
    const period = Math.floor((running.startedAt - snapshot.bornAt) / toMilliseconds(every));
    const last = ticked.get(name) ?? 0;
    ticked.set(name, period);
    return period > last ? undefined : `${said} again in the same period`;
  }

  function noteYielding(all: Overview): void {
    for (const { subject, snapshot } of all.entities()) {
      if (!snapshot.yielding || snapshot.waiting.length > 0) yielding.delete(subject.life);
      else if (!yielding.has(subject.life)) yielding.set(subject.life, all.now);
    }
  }

  /** A tick that comes where the event of a timer by calendar is not valid does not come later. */
  function noteDropped(all: Overview): void {
    for (const { subject, snapshot } of all.entities()) {
      for (const [timer, declared] of Object.entries(subject.entity.timers)) {
        const calendar = calendarOf(declared);
        if (!calendar || asList(subject.entity.events[declared.raise]!.in).includes(snapshot.state)) continue;
        // The clock of the entity may lag behind.
        const since = all.now - LONGEST_LAG_MS;
        const name = calendarName(subject, timer, calendar);
        ticked.set(name, Math.max(since, ticked.get(name) ?? since));
      }
    }
  }
}

function calendarName({ life }: Subject, timer: string, { cron }: Calendar): string {
  return `${life} ${timer} ${cron}`;
}

/** Finds what should have happened by now, even by a clock that lags, where nothing keeps the entity from it. */
function overdue(
  all: Overview,
  within: ReadonlyMap<string, number>,
  yielding: ReadonlyMap<string, number>,
): string | undefined {
  for (const { subject, snapshot } of all.entities()) {
    const { running, reservation, postponed, rollingOver, waiting } = snapshot;
    if (running || reservation || postponed || rollingOver || waiting.length > 0) continue;
    const by = all.now - LONGEST_LAG_MS;
    if (yielding.get(subject.life)! > by) continue;
    const due = [...oneShots(subject, snapshot, within), ...ticks(subject, snapshot)].find(
      ({ at, raise }) => at <= by && unmetGuards(subject.entity, snapshot, raise).length === 0,
    );
    if (due) return `'${due.name}' of ${subject.id} is overdue in ${snapshot.state}`;
  }
  return undefined;
}

/** By the snapshot, in which each migration and each limit that has come begins it again. */
function startOf({ clocks, enteredAt }: Snapshot, limit: string): number {
  return clocks?.[`limits.${limit}`] ?? enteredAt;
}

/** Deadlines, time-outs and limits of the state. */
function oneShots({ entity, life }: Subject, snapshot: Snapshot, within: ReadonlyMap<string, number>): readonly Due[] {
  const { state, enteredAt, properties, clocks = {} } = snapshot;
  const since = (name: string) => clocks[name] ?? enteredAt;
  const timeOf = ({ after, at, raise }: OneShotTimer, clock: string, name = clock): readonly Due[] => {
    if (after !== undefined && typeof after !== 'object') {
      return [{ name, raise, at: since(clock) + toMilliseconds(after) }];
    }
    const { of } = after ?? at!;
    const held = of
      .split('.')
      .reduce<unknown>((value, member) => (value as Record<string, unknown> | null | undefined)?.[member], {
        properties,
      });
    if (held === undefined || held === null) return [];
    if (after) return [{ name, raise, at: since(clock) + toMilliseconds(held as Duration) }];
    const time = typeof held === 'number' ? held : new Date(held as string).getTime();
    return clock in clocks && clocks[clock]! >= time ? [] : [{ name, raise, at: time }];
  };
  const valid = (event: string) => asList(entity.events[event]?.in).includes(state);
  const { deadline } = entity.states[state]!;
  const timeouts = Object.entries(entity.subscriptions).flatMap(([name, { raise, in: places = state, timeout }]) =>
    timeout && valid(raise) && asList(places).includes(state) && valid(timeout.raise)
      ? timeOf(timeout, `${name}.timeout`, name)
      : [],
  );
  const begun = (limit: string) => within.get(`${life} ${limit}`) ?? startOf(snapshot, limit);
  const limits = Object.entries(entity.limits ?? {})
    .filter(([, limit]) => limit.in.includes(state))
    .map(([name, { after, raise }]) => ({ name, raise, at: begun(name) + toMilliseconds(after) }));
  return [...limits, ...(deadline ? timeOf(deadline, 'deadline') : []), ...timeouts];
}

function ticks({ entity }: Subject, { state, bornAt, ticks: next, calendar = {} }: Snapshot): readonly Due[] {
  return Object.entries(entity.timers)
    .filter(([, { raise }]) => asList(entity.events[raise]!.in).includes(state))
    .map(([name, { every, cron, timeZone = 'UTC', raise }]) => {
      if (every !== undefined) return { name, raise, at: own(next, name) ?? bornAt + toMilliseconds(every) };
      const tick = own(calendar, name) ?? { after: bornAt };
      return { name, raise, at: tick.at ?? nextTick({ cron, timeZone }, tick.after) };
    });
}

/** A timer may have any name: `toString`. */
function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
