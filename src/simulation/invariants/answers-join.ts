import type { Invariant } from '../fact.js';

/** S4.2, A2: an answer from outside for which an operation waits belongs to that operation. */
export function answersJoin(): Invariant {
  return {
    name: 'an answer belongs to the operation that waits for it',
    hear(fact) {
      if (fact.kind !== 'started') return undefined;
      const { addresses = [], awaiting, engagements } = fact.snapshot;
      const { id, operation = '' } = engagements.at(-1) ?? {};
      if (awaiting.length === 0 || !addresses.some((each) => each.id === id)) return undefined;
      if (awaiting.includes(operation)) return undefined;
      return `'${id}' on ${fact.by.id} belongs to ${operation}, and ${awaiting.join(', ')} wait for it`;
    },
  };
}
