/*
 * What the action of this entry has raised in vain. A rejection leaves nothing behind, so the next attempt raises it again,
 * and with a new request id: the operation has heard that the old one has ended. S2.2, S3.4
 */
import { entityId } from '../protocol/names.js';
import { firstRaise } from '../protocol/raise-id.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** Notes which of these requests the entity has raised since it entered its state. */
export function noteRejected(snapshot: Snapshot, requests: readonly string[]): Snapshot {
  const { life, entry, rejectedRaises = [] } = snapshot;
  const own = `${entityId(snapshot)}#${life}/${entry}/`;
  const raises = requests.filter((id) => id.startsWith(own)).map(firstRaise);
  const added = raises.filter((id) => !rejectedRaises.includes(id));
  return added.length === 0 ? snapshot : { ...snapshot, rejectedRaises: [...rejectedRaises, ...added] };
}
