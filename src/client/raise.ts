import { ApplicationFailure, WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Rejected } from '../protocol/errors.js';
import type { Answer } from '../protocol/answer.js';
import type { RaiseRequest } from '../protocol/request.js';
import { grpcError } from '../temporal/grpc-error.js';
import { raiseUpdateName } from '../protocol/message-names.js';
import { BATCH_REJECTED, entityId, RUN_CLOSING, type EntityRef } from '../protocol/names.js';
import { PastReader } from './past-reader.js';

const TRIES = 7;
/** The first delay. It doubles with each try: 12.6 s in all. */
const RETRY_AFTER_MS = 200;
/** How long to wait before the next run of an entity is asked, in milliseconds. Mostly it exists by then. */
const NEXT_RUN_AFTER_MS = 20;
const CLOSINGS = 1_000;
/**
 * gRPC status codes DEADLINE_EXCEEDED, FAILED_PRECONDITION, ABORTED and UNAVAILABLE: the service lost the update on its way, or
 * gave up on it, and may have carried it out.
 */
const LOST = new Set([4, 9, 10, 14]);
/** How the client of gRPC says that its caller's own deadline is over. After that, no further try has any time. */
const OWN_DEADLINE = 'Deadline exceeded';

/** Raises a batch of events on one entity: one update, an answer for each. S4.6 */
export async function sendBatch(
  client: Client,
  to: EntityRef,
  requests: readonly RaiseRequest[],
  past = new PastReader(client, undefined),
): Promise<readonly Answer[]> {
  let lost = false;
  let closings = 0;
  for (let tries = 1; ; tries++) {
    try {
      const answers = await sendOnce(client, to, requests, past);
      // An earlier try of this very call may have raised them.
      return lost ? answers.map(asFirst) : answers;
    } catch (thrown) {
      // The same request ids run nothing twice (S2.5), so a batch that may have been lost is sent again.
      if (isClosing(thrown) && ++closings < CLOSINGS) {
        tries--;
        await delay(NEXT_RUN_AFTER_MS);
        continue;
      }
      const unborn = isUnborn(thrown);
      if (tries === TRIES || !(unborn || isLost(thrown))) throw thrown;
      lost ||= !unborn;
      await delay(RETRY_AFTER_MS * 2 ** (tries - 1));
    }
  }
}

async function sendOnce(
  client: Client,
  to: EntityRef,
  requests: readonly RaiseRequest[],
  past: PastReader,
): Promise<readonly Answer[]> {
  const handle = client.workflow.getHandle(entityId(to));
  try {
    const options = { updateId: randomUUID(), args: [requests] as [readonly RaiseRequest[]] };
    const name = raiseUpdateName(requests.map(({ event }) => event));
    return await handle.executeUpdate<readonly Answer[], [readonly RaiseRequest[]]>(name, options);
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return past.answers(to, requests);
    const cause = thrown instanceof WorkflowUpdateFailedError ? thrown.cause : undefined;
    if (cause instanceof ApplicationFailure && cause.type === BATCH_REJECTED) return (cause.details as [Answer[]])[0];
    if (cause instanceof ApplicationFailure && cause.type === 'malformed') {
      throw new Rejected({ code: 'malformed', message: cause.message, entity: entityId(to), event: '' });
    }
    throw thrown;
  }
}

function asFirst(answer: Answer): Answer {
  if (answer.status === 'rejected') return answer;
  const { repeated: _, ...first } = answer;
  return first;
}

/** Tells whether the entity has not been created yet, since it asks the store first. Nothing was carried out. */
function isUnborn(thrown: unknown): boolean {
  const cause = thrown instanceof WorkflowUpdateFailedError ? thrown.cause : undefined;
  return cause?.message.startsWith('No registered handler for update') === true;
}

/** Tells whether the entity is about to continue as new, which takes the batch. */
function isClosing(thrown: unknown): boolean {
  const cause = thrown instanceof WorkflowUpdateFailedError ? thrown.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === RUN_CLOSING;
}

function isLost(thrown: unknown): boolean {
  const error = grpcError(thrown);
  return error !== undefined && LOST.has(error.code) && !error.details.startsWith(OWN_DEADLINE);
}
