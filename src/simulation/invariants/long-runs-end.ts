import type { Invariant, Overview } from '../fact.js';

/** How long the messages that a long run has sent may be on their way, one behind the other, in milliseconds. */
const ON_THEIR_WAY_MS = 60_000;

/** Q1: an entity whose run has become long goes on in a new one as soon as no action runs, however much comes to it. */
export function longRunsEnd(): Invariant {
  /** Long runs in which no action has run, and since when. */
  let overdue = new Map<string, number>();
  return {
    name: 'a run that is long ends',
    hear(fact, all) {
      return fact.kind === 'paused' ? check(all) : undefined;
    },
  };

  function check(all: Overview): string | undefined {
    const before = overdue;
    overdue = new Map();
    for (const { subject, snapshot, run, long } of all.entities()) {
      if (!long || snapshot.running) continue;
      const since = before.get(run) ?? all.now;
      overdue.set(run, since);
      const seconds = (all.now - since) / 1_000;
      if (all.now - since > ON_THEIR_WAY_MS)
        return `the run of ${subject.id} is long, and does not end in ${seconds} s`;
    }
    return undefined;
  }
}
