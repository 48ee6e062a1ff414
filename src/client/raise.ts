import { ApplicationFailure, WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { Rejected } from '../protocol/errors.js';
import type { Answer, RaiseRequest } from '../protocol/messages.js';
import { BATCH_REJECTED, entityId, RAISE_UPDATE, type EntityRef } from '../protocol/names.js';

/** Raises a batch of events on one entity: one update, an answer for each. S4.6 */
export async function sendBatch(
  client: Client,
  to: EntityRef,
  requests: readonly RaiseRequest[],
): Promise<readonly Answer[]> {
  const handle = client.workflow.getHandle(entityId(to));
  try {
    return await handle.executeUpdate<readonly Answer[], [readonly RaiseRequest[]]>(RAISE_UPDATE, { args: [requests] });
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return requests.map(({ event }) => absent(to, event));
    const cause = thrown instanceof WorkflowUpdateFailedError ? thrown.cause : undefined;
    if (cause instanceof ApplicationFailure && cause.type === BATCH_REJECTED) return (cause.details as [Answer[]])[0];
    if (cause instanceof ApplicationFailure && cause.type === 'malformed') {
      throw new Rejected({ code: 'malformed', message: cause.message, entity: entityId(to), event: '' });
    }
    throw thrown;
  }
}

function absent(to: EntityRef, event: string): Answer {
  const message = `${entityId(to)} does not exist. Create it first, or check the key.`;
  return { status: 'rejected', rejection: { code: 'absent', message, entity: entityId(to), event } };
}
