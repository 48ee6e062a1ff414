import type { AnyEntity } from '../definition/entity.js';
import type { LivingRef } from '../protocol/messages.js';
import type { Read, SeenEntity } from '../protocol/reading.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { isAtRest, stateOf, type Effect } from './step.js';

/** How an entity is seen by others: as it is committed. Nothing of one that is deleted. S1.3, S3.7 */
export function viewOf(entity: AnyEntity, snapshot: Snapshot): SeenEntity | undefined {
  const { type, key, state, version, properties, links, subordinates } = snapshot;
  const { health, waiting, ending } = stateOf(entity, snapshot);
  if (ending === 'deleted') return undefined;
  return {
    ...{ type, key, state, version, properties, links, subordinates },
    health: snapshot.exhausted ? 'error' : health,
    settled: isAtRest(entity, snapshot) && !waiting,
  };
}

/** Answers an action that reads this entity. S3.3 */
export function answerRead(entity: AnyEntity, snapshot: Snapshot, { from, wait }: Read): readonly Effect[] {
  return [viewTo(from, wait, viewOf(entity, snapshot))];
}

/** The answer to whoever has asked. */
export function viewTo({ type, key, life }: LivingRef, wait: string, view: SeenEntity | undefined): Effect {
  return {
    kind: 'send',
    to: { type, key },
    message: { kind: 'view', toLife: life, wait, ...(view && { view }) },
  };
}
