import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { healthOf } from '../rules/standing.js';

/**
 * Tells whether an event finds the entity in an error state that is no failure of the event, even if it stays so: another operation has
 * led it there, and the action of the event declares no healthy target, or the event leads nowhere. S5.1
 */
export function wasInError(
  entity: AnyEntity,
  before: Snapshot,
  { operation, event, action }: { readonly operation: string; readonly event: string; readonly action: string },
): boolean {
  if (healthOf(entity, before) !== 'error' || before.erredIn === operation) return false;
  if (entity.events[event]?.stays) return true;
  return asList(entity.actions[action]?.to).every((target) => entity.states[target]?.health === 'error');
}

/** Gives the operation that led an entity into the error state in which it is after a transition. */
export function erredIn(
  entity: AnyEntity,
  before: Snapshot,
  after: Snapshot,
  operation: string,
): Pick<Snapshot, 'erredIn'> {
  if (healthOf(entity, after) !== 'error') return {};
  const known = before.version > 0 && entity.states[before.state] !== undefined && healthOf(entity, before) === 'error';
  if (!known) return { erredIn: operation };
  return before.erredIn === undefined ? {} : { erredIn: before.erredIn };
}
