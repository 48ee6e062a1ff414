import type { Invariant } from '../fact.js';

/** S3.5: attempts are counted one by one from each entry into a state, and end at the declared limit. */
export function attemptsCounted(): Invariant {
  const last = new Map<string, { readonly entry: number; readonly attempt: number }>();
  return {
    name: 'attempts are counted',
    hear(fact) {
      if (fact.kind !== 'started' || fact.snapshot.running?.kind !== 'automatic') return undefined;
      const { by, action, snapshot } = fact;
      const { entry, attempt, state } = snapshot;
      const before = last.get(by.life);
      last.set(by.life, { entry, attempt });
      const again = snapshot.running?.restarts === undefined ? 1 : 0;
      const expected = before?.entry === entry ? before.attempt + again : 1;
      if (attempt !== expected) return `'${action}' of ${by.id} is attempt ${attempt}, and should be ${expected}`;
      const limit = by.entity.states[state]?.retry?.attempts;
      if (limit === undefined || attempt <= limit) return undefined;
      return `'${action}' of ${by.id} is attempt ${attempt} of ${limit}`;
    },
  };
}
