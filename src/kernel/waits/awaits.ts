/*
 * All that the running action waits for on other entities, as data. S3.8
 *
 * awaits.1. The snapshot shows a wait from its beginning to its end. A wait always ends: with the answer, the time limit, the
 *     abortion of the action, or because the action waits for itself.
 * awaits.2. Only the first answer counts. An answer that nobody waits for any more changes nothing.
 * awaits.3. An event for which the action stops waiting is withdrawn, so that it does not begin later, when nobody expects it.
 * awaits.4. A wait that an earlier run has left is taken up by the code that runs again, where it had asked: nothing is asked
 *     twice, and an answer that comes before the code does is kept. What the code does not take up is left as in awaits.3.
 */
import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { AwaitAnswer, Awaited, Place, Snapshot } from '../../protocol/snapshot.js';
import { releaseOf } from '../reservations/holding.js';
import { andThen, type Step } from '../rules/step.js';
import { withdrawalOf } from '../successors/withdraw.js';

type Named = ReadonlyMap<string, Awaited>;

/** Waits by their names. Each of a thousand waits looks for itself whenever something has come. */
const named = new WeakMap<readonly Awaited[], Named>();

/** The waits of the running action. */
export function awaitsOf({ running }: Snapshot): readonly Awaited[] {
  return running?.awaits ?? [];
}

export function awaitNamed({ running }: Snapshot, wait: string): Awaited | undefined {
  const awaits = running?.awaits;
  if (!awaits) return undefined;
  let byName = named.get(awaits);
  if (!byName) {
    byName = new Map(awaits.map((each) => [each.wait, each]));
    named.set(awaits, byName);
  }
  return byName.get(wait);
}

/** The wait for what the action has asked for at this place. */
export function awaitAt(snapshot: Snapshot, { ask, part }: Place): Awaited | undefined {
  return awaitsOf(snapshot).find(({ place }) => place && place.ask === ask && place.part === part);
}

/** Tells whether a run can end amid a wait on another entity: the next one takes it up. awaits.4 */
export function travels({ place, answer }: Awaited): boolean {
  return place !== undefined && answer === undefined;
}

/** Changes what the running action waits for. */
export function changeAwaits(snapshot: Snapshot, change: (awaits: readonly Awaited[]) => readonly Awaited[]): Snapshot {
  if (!snapshot.running) return snapshot;
  const { awaits: before = [], ...running } = snapshot.running;
  const awaits = change(before);
  return { ...snapshot, running: { ...running, ...(awaits.length > 0 && { awaits }) } };
}

/** Puts a wait in the place of the one of its name. */
export function changeAwait(snapshot: Snapshot, changed: Awaited): Snapshot {
  return changeAwaits(snapshot, (awaits) => awaits.map((each) => (each.wait === changed.wait ? changed : each)));
}

/** Notes the answer to a wait. awaits.2 */
export function answer(snapshot: Snapshot, wait: string, given: AwaitAnswer): Snapshot {
  const awaited = awaitNamed(snapshot, wait);
  return !awaited || awaited.answer ? snapshot : changeAwait(snapshot, { ...awaited, answer: given });
}

/** Ends a wait, with its answer or without one. */
export function endAwait(snapshot: Snapshot, on: EntityRef, awaited: Awaited): Step {
  const { wait, kind } = awaited;
  // An action that has ended meanwhile may run again and have the same wait.
  const known = awaitNamed(snapshot, wait);
  const ended = known ? changeAwaits(snapshot, (awaits) => awaits.filter((each) => each.wait !== wait)) : snapshot;
  // The reservation may be granted all the same, now or later.
  if (kind === 'reservation' && known?.answer?.kind !== 'view') {
    return { snapshot: ended, effects: [releaseOf(on, wait)] };
  }
  if (kind !== 'event' || !known || known.answer?.kind === 'outcome') return { snapshot: ended, effects: [] };
  return { snapshot: ended, effects: [withdrawalOf(ended, on, awaited.engagement)] };
}

/** Marks all waits that the run before has left, since the code of the action runs again. awaits.4 */
export function leaveAwaits(snapshot: Snapshot): Snapshot {
  return changeAwaits(snapshot, (awaits) =>
    awaits.map((each) => (each.place ? { ...each, left: true as const } : each)),
  );
}

/** The wait that was left at this place, as one that is taken up. awaits.4 */
export function leftAt(snapshot: Snapshot, place: Place): Awaited | undefined {
  const awaited = awaitAt(snapshot, place);
  if (!awaited?.left) return undefined;
  const { left: _, ...taken } = awaited;
  return taken;
}

/** Stops waiting for what the action's code has not taken up, since the action has ended. awaits.4 */
export function endLeftAwaits(snapshot: Snapshot): Step {
  let step: Step = { snapshot, effects: [] };
  for (const awaited of awaitsOf(snapshot)) {
    const on = awaited.left && parseEntityId(awaited.on);
    if (on) step = andThen(step, (each) => endAwait(each, on, awaited));
  }
  return step;
}

/** Tells people what an action waits for. */
export function summaryOf(awaited: Awaited): string {
  switch (awaited.kind) {
    case 'event':
      return `${awaited.event} on ${awaited.on}`;
    case 'view':
      return `a read of ${awaited.on}`;
    case 'reservation':
      return `the reservation of ${awaited.on}`;
    case 'seal':
      return `the promise of ${awaited.on} to admit ${awaited.event}`;
    case 'answer':
      return `the answer to ${awaited.on}`;
  }
}
