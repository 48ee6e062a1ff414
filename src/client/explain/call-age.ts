import type { Wait } from '../../kernel/index.js';
import type { PendingCall } from './execution.js';

/**
 * The calls with their whole age. Temporal counts each execution of a call anew; the entity knows when its action has made the
 * call. Of calls with the same name, those that were begun first have been executed most often.
 */
export function withWholeAge(calls: readonly PendingCall[], waits: readonly Wait[]): readonly PendingCall[] {
  const made = waits.flatMap((wait) => (wait.kind === 'action' ? (wait.calls ?? []) : []));
  const oldestFirst = [...calls].sort((one, other) => other.attempt - one.attempt || one.since - other.since);
  return calls.map((call) => {
    const place = oldestFirst.filter((each) => each.call === call.call).indexOf(call);
    const begun = made.filter((each) => each.call === call.call).sort((one, other) => one.since - other.since)[place];
    return begun ? { ...call, since: Math.min(call.since, begun.since) } : call;
  });
}
