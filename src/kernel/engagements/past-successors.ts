/*
 * Successors that report nothing more: they were deleted, or nothing is known of them but that they rejected an event.
 *
 * past-successors.1. The outcome of an event can be read, and counts, until its operation is over here and another operation
 *     has settled after it. S3.3
 * past-successors.2. Of older ones, only as many stay as each pattern over the whole life of the entity needs to give the same
 *     answer as now. S4.3
 * past-successors.3. Successors of events that were raised since the present entry into the state stay: its action may raise
 *     them again. S3.4
 */
import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Pattern } from '../../definition/predicate.js';
import { quantifierOf } from '../../definition/quantifiers.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { meantBy, passes } from '../rules/matching.js';
import { isOfEntry } from './rejected-raises.js';

/** Forgets the past successors that nobody counts any more. */
export function forgetPastSuccessors(entity: AnyEntity, snapshot: Snapshot): Snapshot {
  const { successors } = snapshot;
  const past = successors.filter((each) => isPast(each) && !isCurrent(snapshot, each));
  if (past.length === 0) return snapshot;
  const needed = new Set(lifelongPatterns(entity).flatMap((pattern) => neededBy(pattern, past)));
  const forgotten = new Set(past.filter((each) => !needed.has(each)));
  if (forgotten.size === 0) return snapshot;
  return { ...snapshot, successors: successors.filter((each) => !forgotten.has(each)) };
}

/** A successor that has settled before may live on after a rejection: then it is not past. */
function isPast({ event, life, outcome }: Successor): boolean {
  if (event === 'pending' || event === 'accepted') return false;
  if (outcome?.closed) return true;
  const code = outcome?.rejection?.code;
  return event === 'rejected' && (life === undefined || code === 'gone' || code === 'absent');
}

/** past-successors.1, past-successors.3 */
function isCurrent(snapshot: Snapshot, { operation, request }: Successor): boolean {
  const { operation: last, awaiting, engagements, postponed } = snapshot;
  return (
    operation === last?.id ||
    operation === postponed?.engagement?.operation ||
    awaiting.includes(operation) ||
    engagements.some((each) => each.operation === operation) ||
    isOfEntry(snapshot, request)
  );
}

function lifelongPatterns({ subscriptions }: AnyEntity): ReturnType<typeof patternsIn> {
  return Object.values(subscriptions)
    .filter(({ among }) => among === 'life')
    .flatMap(({ when }) => patternsIn(when));
}

/** The latest of the past successors without which a pattern could give another answer. past-successors.2 */
function neededBy(pattern: Pattern, past: readonly Successor[]): readonly Successor[] {
  const meant = meantBy(pattern.filter, past);
  const passing = meant.filter((each) => passes(pattern.test, each));
  const { ofEach, decides } = quantifierOf(pattern);
  if (decides && 'count' in pattern) return passing.slice(-decides(pattern.count));
  if (ofEach !== 'passes' || passing.length === meant.length) return passing.slice(-1);
  // One that does not pass is enough for the answer.
  return meant.filter((each) => !passing.includes(each)).slice(-1);
}
