/*
 * When time raises an event. S4.3, S4.5
 *
 * timers.1. A timer never interrupts an action, and what others have raised goes first. S2.4
 * timers.2. Periodic timers tick at multiples of their period since the entity's birth, so they do not drift. A tick in a state
 *     where its event is not valid is dropped; ticks missed while an action ran, or no worker was there, become one.
 * timers.3. Deadlines and time-outs run from the entry into the state, and end when the entity leaves it.
 * timers.4. No timer runs in a state that ends the entity. S1.3
 */
import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { begin } from '../engagements/begin.js';
import { decide, type Admission } from '../rules/decide.js';
import { validEvents } from '../rules/valid-now.js';
import { openOperations } from '../engagements/open.js';
import { stateOf, andThen, type Step } from '../rules/step.js';
import { oneShots } from './one-shots.js';

/** An event that time will raise, if the entity stays in its state until then. */
export interface ScheduledTimer {
  /** `inspection` for a timer, `deadline`, or `placed.timeout` for a subscription. */
  readonly name: string;
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The period of a periodic timer, in milliseconds. */
  readonly period?: number;
  readonly admission: Admission;
}

/** What is scheduled in the state in which the entity is, the earliest first. */
export function scheduledTimers(entity: AnyEntity, snapshot: Snapshot): readonly ScheduledTimer[] {
  const { ending } = stateOf(entity, snapshot);
  if (ending !== undefined) return [];
  const isValid = (event: string) => asList(entity.events[event]?.in).includes(snapshot.state);
  const timers: ScheduledTimer[] = [];
  const schedule = (name: string, event: string, at: number, period?: number) => {
    const admission = isValid(event) ? decide(entity, snapshot, { event }) : undefined;
    if (admission?.accepted) timers.push({ name, event, at, ...(period !== undefined && { period }), admission });
  };
  for (const { name, raise, after } of oneShots(entity, snapshot.state)) {
    schedule(name, raise, (snapshot.clocks?.[name] ?? snapshot.enteredAt) + toMilliseconds(after));
  }
  for (const [name, { raise, every }] of Object.entries(entity.timers)) {
    schedule(name, raise, tickOf(snapshot, name, every), toMilliseconds(every));
  }
  return timers.sort((one, other) => one.at - other.at);
}

/**
 * The timer that is due first. While the entity is reserved, periodic timers do not count: the owner does not set them off.
 * S3.6
 */
export function nextTimer(entity: AnyEntity, snapshot: Snapshot): ScheduledTimer | undefined {
  return scheduledTimers(entity, snapshot).find(({ period }) => period === undefined || !snapshot.reservation);
}

/** Starts the action of the timer that has been due for longest. */
export function startTimer(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const { name, event, period, admission } = nextTimer(entity, snapshot)!;
  const operation = operationOf(snapshot);
  const request: RaiseRequest = {
    // An accepted event leads to a transition, so no two share a version.
    id: `${entityId(snapshot)}#${snapshot.life}/${snapshot.version}/${name}`,
    event,
    ...(operation !== undefined && { operation }),
  };
  const { action, params } = admission;
  const started = { action, params, eventType: 'timer', ...(period !== undefined && { timer: name }) } as const;
  const next = period === undefined ? {} : { [name]: nextTick(snapshot.bornAt, period, now) };
  const ticked: Snapshot = { ...snapshot, ticks: { ...snapshot.ticks, ...next } };
  // The operation that it joins must exist before it can be told.
  const joined = operation === undefined ? { snapshot: ticked, effects: [] } : openOperations(entity, ticked);
  return andThen(joined, (opened) => begin(entity, opened, request, started, now));
}

/** The next ticks when the entity goes from its state to another one, or to the same. timers.2 */
export function ticksAfter(entity: AnyEntity, snapshot: Snapshot, to: string, now: number): Snapshot['ticks'] {
  const before = validEvents(entity, snapshot.state);
  const after = validEvents(entity, to);
  const ticks = Object.entries(entity.timers)
    .filter(([, { raise }]) => after.includes(raise))
    .map(([name, { every, raise }]) => [
      name,
      before.includes(raise) ? tickOf(snapshot, name, every) : nextTick(snapshot.bornAt, toMilliseconds(every), now),
    ]);
  return Object.fromEntries(ticks) as Snapshot['ticks'];
}

/**
 * The next ticks after a migration: those that were due come, and those of timers that the declaration has brought count from now
 * on.
 */
export function ticksAfterMigration(entity: AnyEntity, snapshot: Snapshot, now: number): Snapshot['ticks'] {
  const valid = validEvents(entity, snapshot.state);
  const ticks = Object.entries(entity.timers)
    .filter(([, { raise }]) => valid.includes(raise))
    .map(([name, { every }]) => [name, snapshot.ticks[name] ?? nextTick(snapshot.bornAt, toMilliseconds(every), now)]);
  return Object.fromEntries(ticks) as Snapshot['ticks'];
}

/** The next tick of a timer. One that a newer declaration has brought counts from the entry into the state. */
function tickOf({ ticks, bornAt, enteredAt }: Snapshot, name: string, every: Duration): number {
  return ticks[name] ?? nextTick(bornAt, toMilliseconds(every), enteredAt);
}

/** The first multiple of the period since birth that comes after a time. */
function nextTick(bornAt: number, period: number, after: number): number {
  return bornAt + (Math.floor((after - bornAt) / period) + 1) * period;
}

/** The operation in which the state was entered, while it goes on. Without one, the event opens an operation. S4.5 */
function operationOf({ awaiting, operation }: Snapshot): string | undefined {
  return awaiting[0] ?? (operation?.open ? operation.id : undefined);
}
