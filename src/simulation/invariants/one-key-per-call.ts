import type { Snapshot } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';

/**
 * S3.4: in all attempts of an action in one entry or for one event, the same call has the same idempotency key, and no other call has
 * it. Calls are the same when they ask for the same: one gets a new key only after as many as ever before have been made in its attempt.
 */
export function oneKeyPerCall(): Invariant {
  /** The keys of each call, in the order in which they were used first. */
  const keys = new Map<string, string[]>();
  const calls = new Map<string, string>();
  const counts = new Map<string, Set<string>>();
  return {
    name: 'one idempotency key for each call',
    hear(fact) {
      if (fact.kind !== 'called') return undefined;
      const { by, execution, asker, snapshot } = fact;
      const { call, action, idempotencyKey } = execution;
      const input = JSON.stringify(execution.input);
      const what = `${by.life}/${asker.entry}/${asker.event ?? ''}/${action} ${call} ${input}`;

      const asked = calls.get(idempotencyKey);
      calls.set(idempotencyKey, `${call} ${input}`);
      if (asked !== undefined && asked !== `${call} ${input}`) {
        return `the key ${idempotencyKey} stood for ${asked}, and now for ${call} ${input}`;
      }

      const thisAttempt = `${what} ${asker.attempt}`;
      const sofar = counts.get(thisAttempt) ?? new Set<string>();
      // It is made again, since its answer was lost.
      if (sofar.has(idempotencyKey)) return undefined;
      const known = keys.get(what) ?? [];
      const before = known.find((key) => !sofar.has(key) && !isServed(snapshot, key));
      counts.set(thisAttempt, sofar.add(idempotencyKey));
      // A collector that is satisfied leaves out calls that it has not begun, and the next one has its key of before.
      if (known.includes(idempotencyKey)) return undefined;
      keys.set(what, [...known, idempotencyKey]);
      if (before === undefined) return undefined;
      return `'${action}' of ${by.id} makes ${call} ${input} with the key ${idempotencyKey}, and made it with ${before}`;
    },
  };
}

/** Says whether an earlier attempt was answered from outside: the call is not made again. A1 */
function isServed({ callbacks = [] }: Snapshot, key: string): boolean {
  return callbacks.some(({ idempotencyKey, answer }) => idempotencyKey === key && answer !== undefined);
}
