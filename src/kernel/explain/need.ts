/*
 * Why an entity needs a person, as far as it knows itself. S5.4
 *
 * need.1. An entity that is stuck needs a person, and so does one that rests in an error state.
 * need.2. One that was deleted needs nobody.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { EntityNeed } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isSettled } from '../rules/standing.js';
import { isGone, stateOf } from '../rules/step.js';
import { stuckEntity } from './stuck.js';

/** Gives why an entity needs a person; nothing where it needs nobody. */
export function needOf(entity: AnyEntity, snapshot: Snapshot): EntityNeed | undefined {
  if (isGone(entity, snapshot)) return undefined;
  const { state, enteredAt, failure, lastError, operation } = snapshot;
  const stuck = stuckEntity(entity, snapshot);
  if (stuck) {
    const { since, reason, message } = stuck;
    return { since, reason, message, ...(lastError && { error: briefly(lastError) }) };
  }
  // The health of one that has used up its attempts and is led on by time is no state of its own.
  if (stateOf(entity, snapshot).health !== 'error' || !isSettled(entity, snapshot)) return undefined;
  const failed = snapshot.successors.filter(({ outcome }) => outcome?.health === 'error' || outcome?.lost);
  const names = failed.slice(0, MOST_NAMES).map(entityId).join(', ');
  return {
    ...{ since: enteredAt, reason: 'error_state' },
    message: `it is in the error state ${state}${!failure && names ? `, since these failed: ${names}` : ''}`,
    ...(failure ? { error: briefly(failure) } : operation && { operation: operation.id }),
  };
}

/** How many names a message lists; more would not help. */
const MOST_NAMES = 5;

function briefly({ kind, code, message }: NonNullable<EntityNeed['error']>): EntityNeed['error'] {
  return { kind, code, message };
}
