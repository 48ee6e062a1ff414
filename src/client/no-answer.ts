import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';

/** gRPC status codes CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, INTERNAL and UNAVAILABLE. */
const NO_ANSWER = new Set([1, 4, 8, 9, 10, 13, 14]);
/**
 * gRPC status codes INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, OUT_OF_RANGE and UNIMPLEMENTED: the request is wrong, and
 * stays wrong.
 */
const WRONG = new Set([3, 5, 6, 11, 12]);

/** Whether the service had no answer in time, or has no worker to ask. */
export function hasNoAnswer(thrown: unknown): boolean {
  const code = grpcCode(thrown);
  return code !== undefined && NO_ANSWER.has(code);
}

/**
 * Whether Temporal, or the way to it, is the cause. This includes a service that refuses our credentials or lacks the
 * namespace.
 */
export function isTemporalAway(thrown: unknown): boolean {
  const code = grpcCode(thrown);
  return code === undefined ? thrown instanceof NamespaceNotFoundError : !WRONG.has(code);
}

function grpcCode(thrown: unknown): number | undefined {
  const cause = thrown instanceof Error && isGrpcServiceError(thrown.cause) ? thrown.cause : thrown;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}
