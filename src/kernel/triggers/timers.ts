/*
 * When time raises an event. S4.3, S4.5
 *
 * timers.1. A timer never interrupts an action, and what others have raised goes first. S2.4
 * timers.2. Periodic timers tick at multiples of their period since the entity's birth, so they do not drift, or by a calendar. A
 *     tick in a state where its event is not valid, or its guard does not hold, is dropped; ticks missed while an action ran, or no
 *     worker was there, become one.
 * timers.3. Deadlines and time-outs run from the entry into the state, and end when the entity leaves it.
 * timers.4. No timer runs in a state that ends the entity. S1.3
 */
import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Guard } from '../../definition/guard.js';
import { asList } from '../../definition/names.js';
import type { PeriodicTimer } from '../../definition/timer.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { begin } from '../engagements/begin.js';
import { decide, type Admission } from '../rules/decide.js';
import type { Contents } from '../rules/contents.js';
import { unmetGuard } from '../rules/event-guard.js';
import { openOperations } from '../engagements/open.js';
import { stateOf, andThen, type Step } from '../rules/step.js';
import { afterTick, calendarTick } from './calendar.js';
import { hasGuardedTimer, mayTick } from './may-tick.js';
import { dueAt, oneShots } from '../rules/one-shots.js';

/** An event that time will raise, if the entity stays in its state until then. */
export interface ScheduledTimer {
  /** `inspection` for a timer, `deadline`, or `placed.timeout` for a subscription. */
  readonly name: string;
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The declaration of a periodic timer; none for what comes once. */
  readonly periodic?: PeriodicTimer;
  readonly admission: Admission;
}

/** Lists what is scheduled in the state in which the entity is, the earliest first. */
export function scheduledTimers(entity: AnyEntity, snapshot: Snapshot): readonly ScheduledTimer[] {
  return timersIn(entity, snapshot).flatMap((timer) => {
    const admission = decide(entity, snapshot, { event: timer.event });
    return admission.accepted ? [{ ...timer, admission }] : [];
  });
}

/** A deadline or time-out whose event has a guard that does not hold: it waits until it does. */
export type HeldTimer = Omit<ScheduledTimer, 'admission' | 'periodic'> & { readonly guard: Guard };

/** The deadlines and time-outs that wait for a guard, the earliest first. event-guard.2 */
export function heldTimers(entity: AnyEntity, snapshot: Snapshot): readonly HeldTimer[] {
  return timersIn(entity, snapshot).flatMap(({ periodic, ...timer }) => {
    const guard = periodic ? undefined : unmetGuard(entity, snapshot, timer.event);
    return guard ? [{ ...timer, guard }] : [];
  });
}

/** Lists the events that time raises in the state, whether their guards hold or not, the earliest first. */
function timersIn(entity: AnyEntity, snapshot: Snapshot): readonly Omit<ScheduledTimer, 'admission'>[] {
  if (stateOf(entity, snapshot).ending !== undefined) return [];
  const once = oneShots(entity, snapshot.state).flatMap((each) => {
    const at = dueAt(snapshot, each);
    return at === undefined ? [] : [{ name: each.name, event: each.raise, at }];
  });
  const ticking = Object.entries(entity.timers).flatMap(([name, periodic]) => {
    const { raise: event, every } = periodic;
    const at = every === undefined ? calendarTick(snapshot, name) : tickOf(snapshot, name, every);
    return at === undefined ? [] : [{ name, event, at, periodic }];
  });
  return [...once, ...ticking]
    .filter(({ event }) => asList(entity.events[event]?.in).includes(snapshot.state))
    .sort((one, other) => one.at - other.at);
}

/**
 * The timer that is due first. While the entity is reserved, periodic timers do not count: the owner does not set them off.
 * S3.6
 */
export function nextTimer(entity: AnyEntity, snapshot: Snapshot): ScheduledTimer | undefined {
  return scheduledTimers(entity, snapshot).find(({ periodic }) => !periodic || !snapshot.reservation);
}

/** Starts the action of the timer that has been due for longest. */
export function startTimer(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const { name, event, at, periodic, admission } = nextTimer(entity, snapshot)!;
  const operation = operationOf(snapshot);
  const request: RaiseRequest = {
    // An accepted event leads to a transition, so no two share a version.
    id: `${entityId(snapshot)}#${snapshot.life}/${snapshot.version}/${name}`,
    event,
    ...(operation !== undefined && { operation }),
  };
  const { action, params } = admission;
  // It was due when the state was entered: no time has gone by. chain.1
  const atOnce = !periodic && at <= snapshot.enteredAt;
  const started = { action, params, eventType: 'timer', ...(periodic && { timer: name }), atOnce } as const;
  const ticked: Snapshot = { ...snapshot, ...(periodic && afterTickOf(snapshot, name, periodic, now)) };
  // The operation that it joins must exist before it can be told.
  const joined = operation === undefined ? { snapshot: ticked, effects: [] } : openOperations(entity, ticked);
  return andThen(joined, (opened) => begin(entity, opened, request, started, now));
}

/** The next tick of a timer that ticks now. */
function afterTickOf(
  snapshot: Snapshot,
  name: string,
  { every }: PeriodicTimer,
  now: number,
): Pick<Snapshot, 'calendar'> | Pick<Snapshot, 'ticks'> {
  if (every === undefined) return afterTick(snapshot, name, now);
  return { ticks: { ...snapshot.ticks, [name]: nextTick(snapshot.bornAt, toMilliseconds(every), now) } };
}

/**
 * The next ticks when the entity goes from its state to another one, or to the same.
 * @param held the contents before, where the action has changed them. timers.2
 */
export function ticksAfter(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: string,
  now: number,
  held: Contents = snapshot,
): Snapshot['ticks'] {
  const ticks = periods(entity)
    .filter(({ raise }) => mayTick(entity, raise, to, snapshot))
    .map(({ name, every, raise }) => [
      name,
      mayTick(entity, raise, snapshot.state, held)
        ? tickOf(snapshot, name, every)
        : nextTick(snapshot.bornAt, toMilliseconds(every), now),
    ]);
  return Object.fromEntries(ticks) as Snapshot['ticks'];
}

/** The next ticks where the state is not entered anew, which differ only where a guard holds now that did not. timers.2 */
export function ticksAfterStay(
  entity: AnyEntity,
  snapshot: Snapshot,
  now: number,
  held: Contents | undefined,
): Partial<Pick<Snapshot, 'ticks'>> {
  return held && hasGuardedTimer(entity) ? { ticks: ticksAfter(entity, snapshot, snapshot.state, now, held) } : {};
}

/**
 * The next ticks after a migration: those that were due come, and those of timers that the declaration has brought count from now
 * on.
 */
export function ticksAfterMigration(entity: AnyEntity, snapshot: Snapshot, now: number): Snapshot['ticks'] {
  const ticks = periods(entity)
    .filter(({ raise }) => mayTick(entity, raise, snapshot.state, snapshot))
    .map(({ name, every }) => [name, tickOf({ ...snapshot, enteredAt: now }, name, every)]);
  return Object.fromEntries(ticks) as Snapshot['ticks'];
}

/** The timers that have a period. */
function periods(entity: AnyEntity) {
  return Object.entries(entity.timers).flatMap(([name, { every, raise }]) =>
    every === undefined ? [] : [{ name, every, raise }],
  );
}

/** The next tick of a timer. One that a newer declaration has brought counts from the entry into the state. */
function tickOf({ ticks, bornAt, enteredAt }: Snapshot, name: string, every: Duration): number {
  return Object.hasOwn(ticks, name) ? ticks[name]! : nextTick(bornAt, toMilliseconds(every), enteredAt);
}

/** The first multiple of the period since birth that comes after a time. */
function nextTick(bornAt: number, period: number, after: number): number {
  return bornAt + (Math.floor((after - bornAt) / period) + 1) * period;
}

/** The operation in which the state was entered, while it goes on. Without one, the event opens an operation. S4.5 */
function operationOf({ awaiting, operation }: Snapshot): string | undefined {
  return awaiting[0] ?? (operation?.open ? operation.id : undefined);
}
