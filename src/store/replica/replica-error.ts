import type { REPLICA_ERRORS } from '../../protocol/error-codes/replicas.js';

type ReplicaErrorCode = keyof typeof REPLICA_ERRORS;

/** Why a replica cannot be kept, compared or promoted, and what to do. Its message holds no password. A6 */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError';

  constructor(
    /** For programs: `slot_lost`. */
    readonly code: ReplicaErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown when one of the two databases does not answer now: the same may go well later. */
export class SideAway extends ReplicaError {
  constructor(code: 'store_unreachable' | 'replica_unreachable', message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}
