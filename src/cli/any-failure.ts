import { isGrpcServiceError } from '@temporalio/client';
import pg from 'pg';
import { ReplicaError, SideAway } from '../store/replica/index.js';
import { EXIT } from './exit.js';
import { ownFailure, plain, type Failure } from './failure.js';
import { messageOf } from '../definition/thrown.js';

/** The failure in any error, also from Temporal, PostgreSQL or the replica, or one that nobody has foreseen. */
export function failureOf(thrown: unknown): Failure {
  const own = ownFailure(thrown);
  if (own) return own;
  const message = messageOf(thrown);
  if (thrown instanceof ReplicaError) {
    return plain(thrown instanceof SideAway ? EXIT.unreachable : EXIT.failed, thrown.code, message);
  }
  return isFromAfar(thrown) ? plain(EXIT.unreachable, 'unreachable', message) : plain(EXIT.failed, 'failed', message);
}

function isFromAfar(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return isGrpcServiceError(thrown) || isGrpcServiceError(cause) || thrown instanceof pg.DatabaseError;
}
