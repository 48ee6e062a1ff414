import type { RaiseRequest } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { Effect, Step } from './step.js';

/** Gives the operation that an event opens a workflow of its own. */
export function openOperation(
  snapshot: Snapshot,
  request: Pick<RaiseRequest, 'id' | 'event'>,
  startedAt: number,
): Effect {
  return {
    kind: 'open',
    operation: {
      kind: 'start',
      id: request.id,
      name: `${request.event} ${entityId(snapshot)}`,
      root: { type: snapshot.type, key: snapshot.key, engagement: request.id, event: request.event },
      startedAt,
    },
  };
}

/**
 * Opens the operations of all engagements that have none yet: from now on the entity does something that outlasts the
 * task which admitted them, or that others take part in.
 */
export function openOperations(snapshot: Snapshot): Step {
  const unopened = snapshot.engagements.filter(({ opened }) => !opened);
  if (unopened.length === 0) return { snapshot, effects: [] };
  return {
    snapshot: { ...snapshot, engagements: snapshot.engagements.map((each) => ({ ...each, opened: true })) },
    effects: unopened.map((each) => openOperation(snapshot, each, each.startedAt)),
  };
}
