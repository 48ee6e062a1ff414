import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/**
 * The name of the judgement that a watcher owes for the report of a version. Another life of the same key comes to the
 * same versions, so the life is part of it.
 */
export function judgementId(reporter: Snapshot, version: number, watcher: EntityRef): string {
  return `${entityId(reporter)}#${reporter.life}@${version}>${entityId(watcher)}`;
}
