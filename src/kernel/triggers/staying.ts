/*
 * Which transitions to the same state do not enter it anew. S3.5, S4.5
 *
 * staying.1. An event that is declared to stay changes nothing that runs from the entry into the state. The tick of a periodic
 *     timer does not change deadlines.
 * staying.2. An event whose action came to nothing postpones neither a deadline nor the automatic action. Otherwise a deadline
 *     that is shorter than the wait of its state, and whose action fails, would keep the automatic action from ever running.
 * staying.3. The event of a deadline or a time-out starts its time anew: otherwise it would be due again at once.
 * staying.4. An event that time has raised, and whose action came to nothing, changes nothing else: attempts go on, used up or not,
 *     and so do the other deadlines. Otherwise attempts that take longer than a deadline would never be used up.
 * staying.5. A limit over several states goes on where the entity moves between them, unless its own event has moved it.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { ActionEnd } from '../engagements/records.js';
import { dueAt, limitsIn, oneShots, type OneShot } from '../rules/one-shots.js';

/**
 * Tells whether the running action does not enter the state anew in which it ran, where it leads nowhere else. staying.1, staying.3,
 * staying.4
 */
export function stays(entity: AnyEntity, snapshot: Snapshot, end: ActionEnd): boolean {
  return isDeclaredToStay(entity, snapshot) || (isFromTime(snapshot) && cameToNothing(end));
}

function isDeclaredToStay(entity: AnyEntity, snapshot: Snapshot): boolean {
  const event = eventOf(snapshot);
  return event !== undefined && entity.events[event]?.stays === true && !isDeadlines(snapshot);
}

/**
 * From when deadlines run after the running action, which re-enters the state in which it ran or goes to another one. staying.1,
 * staying.2, staying.3, staying.5
 */
export function entryTimes(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: string,
  end: ActionEnd,
  now: number,
): Pick<Snapshot, 'enteredAt' | 'clocks'> {
  const { state, running, enteredAt, clocks } = snapshot;
  const goesOn = to === state && (running?.timer !== undefined || cameToNothing(end));
  if (goesOn) return { enteredAt, ...(clocks && { clocks }) };
  const event = isDeadlines(snapshot) ? eventOf(snapshot) : undefined;
  const limits = limitsIn(entity, state)
    .filter((limit) => limit.in.includes(to) && limit.raise !== event)
    .map(({ name }) => [name, clocks?.[name] ?? enteredAt] as const);
  // A time that has just raised the event would raise it again at once.
  const past = oneShots(entity, to)
    .filter(({ raise, at }) => at !== undefined && raise === event)
    .map(({ name }) => [name, now] as const);
  const kept = [...limits, ...past];
  return { enteredAt: now, ...(kept.length > 0 && { clocks: Object.fromEntries(kept) }) };
}

/** From when deadlines run where the state is not entered anew: the one that has raised the event begins again. staying.3 */
export function clocksAfterStay(entity: AnyEntity, snapshot: Snapshot, now: number): Pick<Snapshot, 'clocks'> {
  const { state, clocks } = snapshot;
  if (!isDeadlines(snapshot)) return clocks ? { clocks } : {};
  const event = eventOf(snapshot);
  const due = (each: OneShot) => dueAt(snapshot, each) ?? Infinity;
  const [raised] = oneShots(entity, state)
    .filter(({ raise }) => raise === event)
    .sort((one, other) => due(one) - due(other));
  return raised ? { clocks: { ...clocks, [raised.name]: now } } : {};
}

/** When the automatic action is due, where the running action re-enters the unstable state in which it ran. staying.2 */
export function nextAttempt({ nextAttemptAt = Infinity }: Snapshot, end: ActionEnd, dueAt: number): number {
  return cameToNothing(end) ? Math.min(nextAttemptAt, dueAt) : dueAt;
}

/**
 * The entry into the state, as the names of resource calls have it. An action that may leave the entry as it is has names of its
 * own. S3.4
 */
export function entryName(entity: AnyEntity, snapshot: Snapshot): string {
  const mayStay = isDeclaredToStay(entity, snapshot) || isFromTime(snapshot);
  return mayStay ? `${snapshot.entry}.${snapshot.version}` : `${snapshot.entry}`;
}

function cameToNothing({ outcome }: ActionEnd): boolean {
  return outcome === 'failed' || outcome === 'aborted';
}

/** The event whose action runs. */
function eventOf({ running, engagements }: Snapshot): string | undefined {
  return running?.kind === 'event' ? engagements.at(-1)?.event : undefined;
}

/** Tells whether the running action is that of a deadline's or a time-out's event. */
function isDeadlines(snapshot: Snapshot): boolean {
  return isFromTime(snapshot) && snapshot.running?.timer === undefined;
}

/** Tells whether the running action is that of an event that time has raised. */
function isFromTime({ running, engagements }: Snapshot): boolean {
  return running?.kind === 'event' && engagements.at(-1)?.eventType === 'timer';
}
