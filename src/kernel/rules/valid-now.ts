import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { busyAnswer } from './busy.js';
import { unmetGuard, type Holdings } from './event-guard.js';

/** The events that are valid in a state if their guards hold, for those outside without the internal ones. S2.6 */
export function validEvents(entity: AnyEntity, state: string, outside = false): readonly string[] {
  return Object.entries(entity.events)
    .filter(([, { in: states, internal }]) => asList(states).includes(state) && !(outside && internal))
    .map(([name]) => name);
}

/** The events that are valid in the state and whose guards hold, or would hold with some parameters. S2.2 */
export function possibleEvents(
  entity: AnyEntity,
  snapshot: Holdings & Pick<Snapshot, 'state'>,
  outside = false,
): readonly string[] {
  return validEvents(entity, snapshot.state, outside).filter((event) => !unmetGuard(entity, snapshot, event));
}

/** The possible events that are accepted now, or wait until they are. S2.2 */
export function validNow(entity: AnyEntity, snapshot: Snapshot, outside = false): readonly string[] {
  return possibleEvents(entity, snapshot, outside).filter((event) => !busyAnswer(entity, snapshot, { event }));
}
