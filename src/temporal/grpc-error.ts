import { isGrpcServiceError } from '@temporalio/client';

/** Finds what the Temporal service has answered to a call that failed, whether it was thrown itself or is the cause of what was. */
export function grpcError(thrown: unknown): { readonly code: number; readonly details: string } | undefined {
  const cause = thrown instanceof Error && isGrpcServiceError(thrown.cause) ? thrown.cause : thrown;
  return isGrpcServiceError(cause) ? cause : undefined;
}
