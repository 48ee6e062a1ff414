import { Defect, GivenUp } from '../definition/action-errors.js';
import type { ErrorKind, ErrorRecord } from './error-record.js';
import type { Rejection } from './rejection.js';

/*
 * The errors for code that works with entities. The errors that are thrown into actions are in `definition/action-errors.ts`,
 * since authors of actions catch them.
 */

/** The caller must act: the event was not accepted, and nothing has changed. S2.2 */
export class Rejected extends Error {
  override readonly name = 'Rejected';

  constructor(readonly rejection: Rejection) {
    super(rejection.message);
  }

  get code(): string {
    return this.rejection.code;
  }
}

/** Thrown by a provider: the call failed, and this is why. The state machine decides what follows. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';

  constructor(
    /** Stable, for programs: lower case with underscores. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The record of any thrown value. A value without a code of its own is a defect and keeps its stack. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (!(thrown instanceof Error)) return { kind: 'defect', code: 'defect', message: String(thrown) };
  const { code } = thrown as { code?: unknown };
  if (typeof code === 'string') return { kind: kindOf(thrown), code, message: thrown.message };
  return {
    kind: 'defect',
    code: 'defect',
    message: `${thrown.name}: ${thrown.message}`,
    ...(thrown.stack !== undefined && { stack: thrown.stack }),
  };
}

function kindOf(thrown: Error): ErrorKind {
  if (thrown instanceof Defect) return 'defect';
  if (thrown instanceof GivenUp) return 'needs_operator';
  return thrown instanceof Rejected ? 'rejected' : 'retryable';
}
