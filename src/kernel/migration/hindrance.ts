import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { endAwaited, endOf } from '../rules/deploying.js';
import { reservedBy } from '../rules/reserved.js';

/**
 * Why an entity cannot come to a newer schema now, in words; nothing where it can. What is under way was begun with the old
 * declaration, and ends with it. Q2
 */
export function migrationHindrance(snapshot: Snapshot): string | undefined {
  const { running, postponed, reservation, holds } = snapshot;
  if (running) return `the action '${running.action}' ${running.seals ? 'is about to be committed' : 'runs'}`;
  if (postponed) return `the action '${postponed.running.action}' is postponed`;
  if (reservation) return `${reservedBy(reservation)} has not ended`;
  const [held] = holds;
  if (held) return `it has reserved ${entityId(held.on)}`;
  const ending = endAwaited(snapshot);
  return ending && `${endOf(ending)} is awaited`;
}
