import { toErrorRecord } from '../protocol/errors.js';
import type { CurrentCall } from './current-call.js';

/** The line of the log about a failure of a provider that no call waits for. */
export function describeStray(thrown: unknown, call: CurrentCall) {
  const { code, message: reason, stack } = toErrorRecord(thrown);
  const message =
    'A provider has failed where its call does not wait for it. Await each promise, and catch what timers and emitters throw.';
  return { message, attributes: { ...call, code, reason, stack } };
}
