import { NamespaceNotFoundError } from '@temporalio/client';
import { grpcError } from '../temporal/grpc-error.js';

/** gRPC status codes CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, INTERNAL and UNAVAILABLE. */
const NO_ANSWER = new Set([1, 4, 8, 9, 10, 13, 14]);
/**
 * gRPC status codes INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, OUT_OF_RANGE and UNIMPLEMENTED: the request is wrong, and
 * stays wrong.
 */
const WRONG = new Set([3, 5, 6, 11, 12]);

/** With INVALID_ARGUMENT, Temporal also refuses what a run takes no more of, such as signals. The next run takes it. */
const RUN_IS_FULL = 'exceeded workflow execution limit';

/** Tells whether the service had no answer in time, has no worker to ask, or takes nothing more at present. */
export function hasNoAnswer(thrown: unknown): boolean {
  const error = grpcError(thrown);
  return error !== undefined && (NO_ANSWER.has(error.code) || error.details.startsWith(RUN_IS_FULL));
}

/** gRPC status codes CANCELLED, DEADLINE_EXCEEDED, FAILED_PRECONDITION and ABORTED: they do not say who is the cause. */
const UNANSWERED = new Set([1, 4, 9, 10]);

/** Tells whether the answer did not come, whatever the cause: a worker that is not up, or busy, as well as Temporal. */
export function isUnanswered(thrown: unknown): boolean {
  const error = grpcError(thrown);
  return error !== undefined && UNANSWERED.has(error.code);
}

/**
 * Tells whether Temporal, or the way to it, is the cause. This includes a service that refuses our credentials or lacks the
 * namespace.
 */
export function isTemporalAway(thrown: unknown): boolean {
  const error = grpcError(thrown);
  return error === undefined ? thrown instanceof NamespaceNotFoundError : hasNoAnswer(thrown) || !WRONG.has(error.code);
}
