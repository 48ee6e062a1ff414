import type { AcceptedEvent } from '../protocol/accepted-event.js';
import type { OperationReading } from '../client/operation-reading.js';
import type { OperationResult } from '../operations/status.js';
import { Rejected } from '../protocol/errors.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Rejection } from '../protocol/rejection.js';
import type { ServiceContext } from './context.js';
import type { ServiceParts } from './parts.js';
import { executionOf, executionOfOperation } from './execution.js';
import { asShownTo } from './operation-audience.js';
import {
  pathOfOperation,
  representBeginning,
  representOperation,
  representSettled,
  type OperationRepresentation,
} from './operation-representation.js';
import { STORE_ROOT } from './lists/store-root.js';
import { preferredWait } from './preference.js';
import { ProblemError } from './problem.js';
import { timeLimit } from '../client/time-limit.js';

export const RETRY_AFTER = '1';

/**
 * Answers a request that was taken. The answer is 200 with the outcome where that is there already, or 201 where it has created
 * what is at `created`. Otherwise it is 202, and the operation is followed at Operation-Location. S4.7, S6.1
 * The same request again is answered as the first one, while it is under way too.
 * @throws ProblemError when the event had waited and was then rejected
 */
export async function answerTaken(
  context: ServiceContext,
  parts: ServiceParts,
  taken: AcceptedEvent,
  created?: string,
): Promise<Response> {
  const { answer, entity } = taken;
  parts.places.note(answer.operation, entity);
  try {
    return await answerInTime(context, parts, taken, created);
  } finally {
    if (!answer.repeated) noteFirstResponse(parts, answer.operation, entity);
  }
}

async function answerInTime(
  context: ServiceContext,
  parts: ServiceParts,
  taken: AcceptedEvent,
  created: string | undefined,
): Promise<Response> {
  const { answer, entity, event } = taken;
  const id = answer.operation;
  const path = pathOfOperation(id, entity);
  context.set('operation', id);
  context.set('log', context.var.log.child({ operation: id }));
  context.header('Operation-Location', path);
  const seconds = preferredWait(context.req.header('prefer'), parts.settings.longestWait);
  if (seconds !== undefined) context.header('Preference-Applied', `wait=${seconds}`);
  const ofEntity = executionOf(parts, entityId(entity));
  if (answer.status === 'accepted' && answer.outcome) {
    return ended({ ...representSettled(id, event, answer.outcome, entity), ...ofEntity });
  }
  if (answer.repeated) {
    const reading = await recall(parts, taken);
    if (reading.state !== 'beginning' && reading.state !== 'running') return settled(reading);
  }
  if (seconds !== undefined) {
    const result = await outcomeWithin(context, parts, taken, seconds * 1_000);
    if (result) return settled({ state: 'ended', result });
  }
  context.header('Retry-After', RETRY_AFTER);
  const begun = representBeginning(id, answer.status === 'waiting' ? answer.behind : undefined);
  return answerWith({ ...begun, ...ofEntity }, 202);

  async function settled(reading: OperationReading): Promise<Response> {
    const rejection = rejectionOf(reading);
    if (rejection) throw ProblemError.rejected({ ...rejection, operation: id });
    const shown = await asShownTo(context.var.guard.readable, parts, entity, representOperation(id, reading, entity));
    return ended({ ...shown, ...executionOfOperation(parts, id, reading, entity) });
  }

  function ended(operation: OperationRepresentation): Response {
    if (created === undefined || operation.outcome !== 'success') return answerWith(operation, 200);
    context.header('Location', created);
    return answerWith(operation, 201);
  }

  /** Answers with the operation as the return value of the action, for OData clients. S6.2 */
  function answerWith(operation: OperationRepresentation, status: 200 | 201 | 202): Response {
    context.header('OData-Version', '4.01');
    return context.json({ '@odata.context': `${STORE_ROOT}/$metadata#operations/$entity`, ...operation }, status);
  }
}

/**
 * Tells the store when the request was first answered. Nobody waits for that: the store keeps the earliest time, and takes
 * another one where this is lost. S5.1
 */
export function noteFirstResponse({ store, log }: ServiceParts, operation: string, on: EntityRef): void {
  store?.noteFirstResponse(operation, Date.now(), on).catch((thrown: unknown) => {
    log.debug({ err: thrown, operation }, 'a first response was not noted');
  });
}

/** The result of an operation, if it ended in time and somebody still listens. */
async function outcomeWithin(
  context: ServiceContext,
  { reeve }: ServiceParts,
  taken: AcceptedEvent,
  milliseconds: number,
): Promise<OperationResult | undefined> {
  const { signal, clear } = timeLimit(milliseconds, context.req.raw.signal);
  try {
    return await reeve.operations.result(taken, signal);
  } catch (thrown) {
    // The operation goes on, even when nobody waits any longer or no worker is up.
    if (signal.aborted || (thrown instanceof Rejected && thrown.code === 'no_answer')) return undefined;
    throw thrown;
  } finally {
    clear();
  }
}

/** Reads what has become of a request that was raised before. */
async function recall({ reeve }: ServiceParts, { answer, entity, event }: AcceptedEvent): Promise<OperationReading> {
  try {
    return await reeve.operations.read(answer.operation, entity);
  } catch (thrown) {
    if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
    const message = `'${event}' was accepted long ago, and was not run again. Its outcome is no longer stored.`;
    throw new ProblemError('outcome_unknown', message, { operation: answer.operation });
  }
}

function rejectionOf(reading: OperationReading): Rejection | undefined {
  if (reading.state === 'ended') return reading.result.rejection;
  return reading.state === 'settled' ? reading.outcome.rejection : undefined;
}
