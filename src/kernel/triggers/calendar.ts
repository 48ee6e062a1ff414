/*
 * The ticks of timers by calendar. S4.5
 *
 * calendar.1. A tick is decided outside, once, and kept: a replay, another run and another version of Node take it as it is.
 * calendar.2. What is to be decided is the first tick after a time that the entity keeps: it does not matter when it is decided. So
 *     ticks that were missed become one.
 * calendar.3. A tick that was decided holds over states in which its event is not valid, or its guard does not hold. One that comes in such a state is dropped.
 * calendar.4. Where the declaration has another calendar than the one by which a tick was decided, the tick is decided anew. One
 *     that was due already comes.
 */
import { sameCalendar, type Calendar } from '../../definition/calendar/calendar.js';
import type { AnyEntity } from '../../definition/entity.js';
import { calendarOf } from '../../definition/timer.js';
import type { CalendarTick, Snapshot } from '../../protocol/snapshot.js';
import type { Contents } from '../rules/contents.js';
import { hasGuardedTimer, mayTick } from './may-tick.js';

/** The question for the first tick of a calendar after a time, in milliseconds since 1970. */
export interface TickQuestion extends Calendar {
  readonly after: number;
}

/** A tick that has yet to be decided. */
export interface UndecidedTick {
  readonly timer: string;
  readonly question: TickQuestion;
  /** The part of it that the entity kept when it was asked for. */
  readonly kept: CalendarTick | undefined;
}

/** The ticks that have yet to be decided, of the timers that tick in the state. */
export function undecidedTicks(entity: AnyEntity, snapshot: Snapshot, now: number): readonly UndecidedTick[] {
  return calendarsIn(entity, snapshot.state, snapshot).flatMap(([timer, calendar]) => {
    const kept = keptTick(snapshot, timer);
    // calendar.4
    const holds = kept?.at !== undefined && (kept.at <= now || sameCalendar(kept, calendar));
    const after = kept && kept.at === undefined ? kept.after : now;
    return holds ? [] : [{ timer, question: { ...calendar, after }, kept }];
  });
}

/** Keeps ticks that were decided, in the order of the questions, unless the entity has gone on and asks for others. calendar.1 */
export function keepTicks(snapshot: Snapshot, asked: readonly UndecidedTick[], ticks: readonly number[]): Snapshot {
  const { calendar = {} } = snapshot;
  const decided = asked.flatMap(({ timer, question: { cron, timeZone }, kept }, index) =>
    keptTick(snapshot, timer) === kept ? [[timer, { at: ticks[index]!, cron, timeZone }] as const] : [],
  );
  return { ...snapshot, calendar: { ...calendar, ...Object.fromEntries(decided) } };
}

/** When a timer ticks next, if that is decided. */
export function calendarTick(snapshot: Snapshot, timer: string): number | undefined {
  return keptTick(snapshot, timer)?.at;
}

function keptTick({ calendar = {} }: Snapshot, timer: string): CalendarTick | undefined {
  return Object.hasOwn(calendar, timer) ? calendar[timer] : undefined;
}

/** Asks for the first tick of a timer after the one that comes now. calendar.2 */
export function afterTick({ calendar }: Snapshot, timer: string, now: number): Pick<Snapshot, 'calendar'> {
  return { calendar: { ...calendar, [timer]: { after: now } } };
}

/**
 * The ticks when the entity goes from its state to another one, or to the same. calendar.2, calendar.3
 * @param held the contents before, where the action has changed them
 */
export function calendarAfter(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: string,
  now: number,
  held: Contents = snapshot,
): Pick<Snapshot, 'calendar'> {
  const kept = Object.entries(entity.timers).flatMap(([timer, { raise, cron }]): [string, CalendarTick][] => {
    if (cron === undefined) return [];
    const tick = keptTick(snapshot, timer);
    const ticks = mayTick(entity, raise, to, snapshot);
    const holds = (tick?.at ?? 0) > now || (ticks && mayTick(entity, raise, snapshot.state, held));
    if (tick && holds) return [[timer, tick]];
    return ticks ? [[timer, { after: now }]] : [];
  });
  return kept.length > 0 ? { calendar: Object.fromEntries(kept) } : {};
}

/** The ticks where the state is not entered anew, which differ only where a guard holds now that did not. */
export function calendarAfterStay(
  entity: AnyEntity,
  snapshot: Snapshot,
  now: number,
  held: Contents | undefined,
): Pick<Snapshot, 'calendar'> {
  if (held && hasGuardedTimer(entity)) return calendarAfter(entity, snapshot, snapshot.state, now, held);
  return snapshot.calendar ? { calendar: snapshot.calendar } : {};
}

/** The ticks of a new entity. */
export function calendarAtBirth(
  entity: AnyEntity,
  state: string,
  contents: Contents,
  now: number,
): Pick<Snapshot, 'calendar'> {
  const ticks = calendarsIn(entity, state, contents).map(([timer]) => [timer, { after: now }] as const);
  return ticks.length > 0 ? { calendar: Object.fromEntries(ticks) } : {};
}

/** The ticks after a migration: those that were due come, unless the entity has come to another state. Q2 */
export function calendarAfterMigration(
  entity: AnyEntity,
  { calendar = {} }: Snapshot,
  moved: boolean,
  now: number,
): Pick<Snapshot, 'calendar'> {
  const kept = Object.entries(calendar).filter(
    ([timer, { at = 0 }]) => entity.timers[timer]?.cron !== undefined && (!moved || at > now),
  );
  return kept.length > 0 ? { calendar: Object.fromEntries(kept) } : {};
}

/** The calendars of the timers that tick in a state. */
function calendarsIn(
  entity: AnyEntity,
  state: string,
  contents: Pick<Contents, 'properties' | 'links'>,
): readonly (readonly [string, Calendar])[] {
  return Object.entries(entity.timers).flatMap(([timer, declared]) => {
    const calendar = calendarOf(declared);
    return calendar && mayTick(entity, declared.raise, state, contents) ? [[timer, calendar] as const] : [];
  });
}
