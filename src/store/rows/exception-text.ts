import type { ErrorRecord } from '../../protocol/error-record.js';

/** The text of an exception: its stack, where the worker takes stacks, or else its code and message. */
export function exceptionText({ stack, code, message }: ErrorRecord): string {
  return stack ?? `${code}: ${message}`;
}
