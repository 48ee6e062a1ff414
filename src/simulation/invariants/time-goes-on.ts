import type { Invariant } from '../fact.js';

/** S4.5: an entity never goes back in time, also not when it goes on in a new run. */
export function timeGoesOn(): Invariant {
  return {
    name: 'time goes on',
    hear(fact) {
      if (fact.kind === 'started') {
        const { enteredAt, running } = fact.snapshot;
        const early = running && enteredAt - running.startedAt;
        return early && early > 0
          ? `${fact.by.id} starts '${fact.action}' ${early} ms before it enters the state`
          : undefined;
      }
      if (fact.kind !== 'changed' || !fact.before) return undefined;
      const { by, before, after } = fact;
      const back = before.enteredAt - after.enteredAt;
      return back > 0 ? `${by.id} enters ${after.state} ${back} ms before ${before.state}, in which it was` : undefined;
    },
  };
}
