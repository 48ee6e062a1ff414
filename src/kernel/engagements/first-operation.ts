/*
 * To which operation an event belongs that an action raises.
 *
 * first-operation.1. An event belongs to the operation for which it was raised first, since its target tells that one how it
 *     goes on. An action that runs again in the same entry into the state raises the same events, and may do so for another
 *     operation: an operator's retry, or an event that came between two attempts. The other operation does not wait for what
 *     is not told to it: it ends when the entity that has raised the event has settled. S3.4, S4.2
 */
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { isOfEntry } from './rejected-raises.js';

/** The operation to which a request of the latest engagement belongs: its own, or the one that knows the request already. */
export function operationFor({ engagements, raisedBefore = [] }: Snapshot, request: string): string {
  const latest = engagements.at(-1)!.operation;
  const before = raisedBefore.find(({ requests }) => requests.includes(request))?.operation;
  if (before !== undefined) return before;
  return engagements.find(({ caused }) => caused.some(({ engagement }) => engagement === request))?.operation ?? latest;
}

/** What to keep of engagements that end while the entity stays in its state: its action may raise the same again. */
export function keepRaises(
  snapshot: Snapshot,
  ended: readonly Engagement[],
): Pick<Snapshot, 'raisedBefore'> | undefined {
  const kept = ended.flatMap(({ operation, caused }) => {
    const requests = caused.map(({ engagement }) => engagement).filter((id) => isOfEntry(snapshot, id));
    return requests.length > 0 ? [{ operation, requests }] : [];
  });
  return kept.length > 0 ? { raisedBefore: [...(snapshot.raisedBefore ?? []), ...kept] } : undefined;
}
