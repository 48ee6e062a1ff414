import type { Invariant } from '../fact.js';

/** settle.1 of the kernel: the operation is told once that an event has ended. */
export function endsOnce(): Invariant {
  const ended = new Set<string>();
  return {
    name: 'each event ends once',
    hear(fact) {
      if (fact.kind !== 'told' || fact.message.kind !== 'ended' || fact.message.outcome.rejection) return undefined;
      const name = `${fact.by.life} ${fact.message.engagement}`;
      if (ended.has(name))
        return `${fact.by.id} tells ${fact.operation} twice that ${fact.message.engagement} has ended`;
      ended.add(name);
      return undefined;
    },
  };
}
