import { isGrpcServiceError } from '@temporalio/client';
import pg from 'pg';
import { DeclarationError } from '../definition/declaration-error.js';
import { Rejected } from '../protocol/errors.js';
import { ODataError } from '../service/odata/index.js';
import { UsageError } from './usage-error.js';
import { EXIT } from './exit.js';
import { messageOf } from './message.js';
import { formatRejection } from './output.js';
import { Unreachable } from './unreachable.js';

/** Why a command did not do what it was asked for. */
export interface Failure {
  readonly exitCode: number;
  readonly forPeople: string;
  /** With `code` and `message` at least. */
  readonly forPrograms: object;
}

/** No worker, or the store that an entity has to ask. */
const UNREACHABLE = new Set(['no_worker', 'try_again']);

/** Anything that a command has thrown, so that the reader knows what to do. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Rejected) {
    const exitCode = UNREACHABLE.has(thrown.code) ? EXIT.unreachable : EXIT.rejected;
    return { exitCode, forPeople: formatRejection(thrown.rejection), forPrograms: thrown.rejection };
  }
  const message = messageOf(thrown);
  if (thrown instanceof UsageError) return plain(EXIT.rejected, 'usage', message);
  if (thrown instanceof DeclarationError) return plain(EXIT.rejected, 'wrong_declaration', message);
  // People have written the filter as an option of the command.
  if (thrown instanceof ODataError) return plain(EXIT.rejected, thrown.code, message.replace(/^\$filter/, '--where'));
  if (thrown instanceof Unreachable || isFromAfar(thrown)) return plain(EXIT.unreachable, 'unreachable', message);
  return plain(EXIT.failed, 'failed', message);
}

function plain(exitCode: number, code: string, message: string): Failure {
  return { exitCode, forPeople: message, forPrograms: { code, message } };
}

function isFromAfar(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return isGrpcServiceError(thrown) || isGrpcServiceError(cause) || thrown instanceof pg.DatabaseError;
}
