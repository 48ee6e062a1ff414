/*
 * Events that were raised since this entry into the state and were rejected. A rejection leaves nothing behind, so the next
 * attempt raises them again. It takes a new request id, since the operation knows the old one as ended. S2.2, S3.4
 */
import { entityId } from '../../protocol/names.js';
import { raisedAgain } from '../../protocol/raise-id.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** Tells whether the entity has raised this request since it entered its state. */
export function isOfEntry(snapshot: Snapshot, request: string): boolean {
  const { life, entry } = snapshot;
  return request.startsWith(`${entityId(snapshot)}#${life}/${entry}/`);
}

/** Notes which of these requests the entity has raised since it entered its state. */
export function noteRejected(snapshot: Snapshot, requests: readonly string[]): Snapshot {
  const { rejectedRaises = [] } = snapshot;
  const added = requests.filter((id) => isOfEntry(snapshot, id) && !rejectedRaises.includes(id));
  return added.length === 0 ? snapshot : { ...snapshot, rejectedRaises: [...rejectedRaises, ...added] };
}

/** The first id from this one on under which the event has not been rejected. */
export function notRejected({ rejectedRaises = [] }: Snapshot, id: string): string {
  let free = id;
  while (rejectedRaises.includes(free)) free = raisedAgain(free);
  return free;
}
