import { RETRY_EVENT } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/**
 * S3.5: attempts are counted one by one from each entry into a state and from each retry of an operator, and end at the declared
 * limit.
 */
export function attemptsCounted(): Invariant {
  const last = new Map<string, { readonly entry: number; readonly attempt: number; readonly retry: string }>();
  return {
    name: 'attempts are counted',
    hear(fact) {
      if (fact.kind !== 'started' || fact.snapshot.running?.kind !== 'automatic') return undefined;
      const { by, action, snapshot } = fact;
      const { entry, attempt, state } = snapshot;
      const before = last.get(by.life);
      const retry = snapshot.engagements.findLast(({ event }) => event === RETRY_EVENT)?.id ?? '';
      last.set(by.life, { entry, attempt, retry });
      const anew = before?.entry !== entry || (retry !== '' && retry !== before.retry);
      const again = snapshot.running?.restarts === undefined ? 1 : 0;
      const expected = anew ? 1 : before.attempt + again;
      if (attempt !== expected) return `'${action}' of ${by.id} is attempt ${attempt}, and should be ${expected}`;
      const limit = by.entity.states[state]?.retry?.attempts;
      if (limit === undefined || attempt <= limit) return undefined;
      return `'${action}' of ${by.id} is attempt ${attempt} of ${limit}`;
    },
  };
}
