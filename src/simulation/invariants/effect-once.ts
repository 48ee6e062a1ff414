import type { Invariant } from '../fact.js';

/** S1.3, S2.5: the event of one request starts one action, however often it comes. */
export function effectOnce(): Invariant {
  const started = new Map<string, string>();
  return {
    name: 'each accepted event takes effect once',
    hear(fact) {
      if (fact.kind === 'terminated') {
        // A terminated entity leaves nothing that its next life could know.
        for (const name of started.keys()) if (name.startsWith(`${fact.id} `)) started.delete(name);
      }
      if (fact.kind !== 'started' || fact.snapshot.running?.kind !== 'event') return undefined;
      const { by, action, snapshot } = fact;
      const engagement = snapshot.engagements.at(-1);
      if (!engagement) return `'${action}' of ${by.id} runs for no event`;
      const name = `${by.id} ${engagement.id}`;
      const before = started.get(name);
      started.set(name, action);
      // The action was postponed, and nothing of it has taken effect.
      if (snapshot.running?.restarts !== undefined) return undefined;
      return before && `'${engagement.event}' (${engagement.id}) on ${by.id} started '${before}' and again '${action}'`;
    },
  };
}
