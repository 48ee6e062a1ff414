import { Defect, GivenUp } from '../definition/action-errors.js';
import { withoutCredentials } from '../definition/credentials.js';
import { LONGEST_CODE, LONGEST_MESSAGE, LONGEST_STACK } from '../definition/limits.js';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import { cut, isThrown, member, messageOf, namedMessageOf } from '../definition/thrown.js';
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
  /** In milliseconds. */
  readonly retryAfterMs?: number;

  constructor(
    /** Stable, for programs: lower case with underscores. */
    readonly code: string,
    message: string,
    /** How long no other attempt is to begin: what `Retry-After` of HTTP says. It wins over the declared delay. At most 30 days. */
    { retryAfter }: { readonly retryAfter?: Duration } = {},
  ) {
    super(message);
    if (retryAfter !== undefined) this.retryAfterMs = toMilliseconds(retryAfter);
  }
}

/**
 * The record of any thrown value, short, whatever was thrown. A value without a code of its own is a defect and keeps its stack.
 * S1.5a
 */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  const isError = isThrown(thrown, Error);
  const code = isError ? member(thrown, 'code') : undefined;
  if (isError && typeof code === 'string')
    return { kind: kindOf(thrown), code: cut(code, LONGEST_CODE), message: messageOf(thrown), ...retryAfterOf(thrown) };
  const stack = isError ? member(thrown, 'stack') : undefined;
  return {
    ...{ kind: 'defect', code: 'defect', message: namedMessageOf(thrown) },
    ...(typeof stack === 'string' && { stack: cutStack(withoutCredentials(stack)) }),
  };
}

/** The longest time for which a provider can put off the next attempt, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 30 * 86_400_000;

/** When a provider lets the next attempt begin, where it has said so. */
function retryAfterOf(thrown: Error): Pick<ErrorRecord, 'retryAfterMs'> {
  const retryAfterMs = member(thrown, 'retryAfterMs');
  if (typeof retryAfterMs !== 'number' || !(retryAfterMs > 0)) return {};
  return { retryAfterMs: Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) };
}

/** The stack of an error begins with its message, and the places are what it is kept for. */
function cutStack(stack: string): string {
  const places = stack.indexOf(FIRST_PLACE);
  if (places < 0) return cut(stack, LONGEST_MESSAGE);
  return cut(stack.slice(0, places), LONGEST_MESSAGE) + cut(stack.slice(places), LONGEST_STACK);
}

const FIRST_PLACE = '\n    at ';

function kindOf(thrown: Error): ErrorKind {
  if (isThrown(thrown, Defect)) return 'defect';
  if (isThrown(thrown, GivenUp)) return 'needs_operator';
  return isThrown(thrown, Rejected) ? 'rejected' : 'retryable';
}
