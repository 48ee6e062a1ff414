import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** The judgement that a watcher owes for the report of a version: the same each time that it is reported. S4.2 */
export function judgementId(
  from: Pick<Snapshot, 'type' | 'key' | 'life'>,
  version: number,
  watcher: EntityRef,
): string {
  return `${entityId(from)}#${from.life}@${version}>${entityId(watcher)}`;
}
