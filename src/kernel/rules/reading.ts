import type { AnyEntity } from '../../definition/entity.js';
import type { EntityRef } from '../../protocol/names.js';
import type { Read, SeenEntity, View } from '../../protocol/reading.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isAnothers } from './permission.js';
import { healthOf, isSettled } from './standing.js';
import { isGone, type Effect } from './step.js';

/** How others see an entity: as it is committed. They see nothing of a deleted one. S1.3, S3.7 */
export function viewOf(entity: AnyEntity, snapshot: Snapshot): SeenEntity | undefined {
  const { type, key, state, version, properties, links, subordinates } = snapshot;
  if (isGone(entity, snapshot)) return undefined;
  return {
    ...{ type, key, state, version, properties, links, subordinates },
    health: healthOf(entity, snapshot),
    settled: isSettled(entity, snapshot),
  };
}

/** Answers an action that reads this entity. S3.3 */
export function answerRead(entity: AnyEntity, snapshot: Snapshot, read: Read): readonly Effect[] {
  const view = isAnothers(snapshot, read) ? undefined : viewOf(entity, snapshot);
  return [answerTo(snapshot, read, view && { view })];
}

/** The answer to the action that has asked, without a view when there is nothing to see. */
export function answerTo(
  { type, key }: EntityRef,
  { from, wait }: Pick<Read, 'from' | 'wait'>,
  seen?: Pick<View, 'view' | 'granted'>,
): Effect {
  const to = { type: from.type, key: from.key };
  return { kind: 'send', to, message: { kind: 'view', from: { type, key }, toLife: from.life, wait, ...seen } };
}
