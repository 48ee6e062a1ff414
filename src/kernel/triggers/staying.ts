/*
 * Which transitions to the same state do not enter it anew. S3.5, S4.5
 *
 * staying.1. An event that is declared to stay changes nothing that runs from the entry into the state. The tick of a periodic
 *     timer does not change deadlines.
 * staying.2. An event whose action came to nothing postpones neither a deadline nor the automatic action. Otherwise a deadline
 *     that is shorter than the wait of its state, and whose action fails, would keep the automatic action from ever running.
 * staying.3. The event of a deadline or a time-out starts its time anew: otherwise it would be due again at once.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { ActionEnd } from '../engagements/records.js';

/** Whether the running action is that of an event that stays, where it leads nowhere else. staying.1, staying.3 */
export function stays(entity: AnyEntity, snapshot: Snapshot): boolean {
  const event = eventOf(snapshot);
  return event !== undefined && entity.events[event]?.stays === true && !isDeadlines(snapshot);
}

/**
 * From when deadlines run after the running action, which re-enters the state in which it ran or goes to another one. staying.1,
 * staying.2, staying.3
 */
export function entryTimes(
  snapshot: Snapshot,
  to: string,
  end: ActionEnd,
  now: number,
): Pick<Snapshot, 'enteredAt' | 'clocks'> {
  const { state, running, enteredAt, clocks } = snapshot;
  const cameFromTime = running?.timer !== undefined;
  const goesOn = to === state && (cameFromTime || (cameToNothing(end) && !isDeadlines(snapshot)));
  return goesOn ? { enteredAt, ...(clocks && { clocks }) } : { enteredAt: now };
}

/** When the automatic action is due, where the running action re-enters the unstable state in which it ran. staying.2 */
export function nextAttempt({ nextAttemptAt = Infinity }: Snapshot, end: ActionEnd, dueAt: number): number {
  return cameToNothing(end) ? Math.min(nextAttemptAt, dueAt) : dueAt;
}

/** The entry into the state, as the names of resource calls have it. An action that stays has names of its own. S3.4 */
export function entryName(entity: AnyEntity, snapshot: Snapshot): string {
  return stays(entity, snapshot) ? `${snapshot.entry}.${snapshot.version}` : `${snapshot.entry}`;
}

function cameToNothing({ outcome }: ActionEnd): boolean {
  return outcome === 'failed' || outcome === 'aborted';
}

/** The event whose action runs. */
function eventOf({ running, engagements }: Snapshot): string | undefined {
  return running?.kind === 'event' ? engagements.at(-1)?.event : undefined;
}

/** Whether the running action is that of a deadline's or a time-out's event. */
function isDeadlines({ running, engagements }: Snapshot): boolean {
  return running?.kind === 'event' && running.timer === undefined && engagements.at(-1)?.eventType === 'timer';
}
