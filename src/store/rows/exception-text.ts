import type { ErrorRecord } from '../../protocol/error-record.js';

/** What an exception says: with the stack, where the worker takes stacks. */
export function exceptionText({ stack, code, message }: ErrorRecord): string {
  return stack ?? `${code}: ${message}`;
}
