import { isGrpcServiceError } from '@temporalio/client';

/** gRPC status codes CANCELLED, DEADLINE_EXCEEDED, FAILED_PRECONDITION and UNAVAILABLE. */
const NO_ANSWER = new Set([1, 4, 9, 14]);

/** Whether the service had no answer in time, or has no worker to ask. */
export function hasNoAnswer(thrown: unknown): boolean {
  const cause = thrown instanceof Error && isGrpcServiceError(thrown.cause) ? thrown.cause : thrown;
  return isGrpcServiceError(cause) && NO_ANSWER.has(cause.code);
}
