import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Invariant, Overview } from '../fact.js';

/** More than the time between two looks, in milliseconds. */
const LOST_WITHIN_MS = 900_000;

/** S4.4, look.2: a successor that nobody tells of, and that was not there when it was looked for, is soon given up for lost. */
export function missedIsLost(): Invariant {
  let untold = false;
  /** Watcher and request -> since when its successor is gone, and was missed. */
  const gone = new Map<string, number>();
  return {
    name: 'a successor that is missed again is lost',
    hear(fact, all) {
      if (fact.kind === 'terminated' && fact.untold) untold = true;
      return untold && fact.kind === 'paused' ? overdue(all) : undefined;
    },
  };

  function overdue(all: Overview): string | undefined {
    const entities = all.entities();
    const living = new Set(entities.map(({ subject }) => subject.id));
    for (const { subject, snapshot } of entities) {
      for (const successor of snapshot.successors) {
        const name = `${subject.life} ${successor.request}`;
        if (!successor.missed || living.has(entityId(successor)) || !looks(snapshot)) {
          gone.delete(name);
          continue;
        }
        const since = gone.get(name) ?? all.now;
        gone.set(name, since);
        if (all.now - since > LOST_WITHIN_MS) {
          return `${subject.id} in ${snapshot.state} has missed ${entityId(successor)} ${all.now - since} ms ago, and waits for it`;
        }
      }
    }
    return undefined;
  }
}

/** Tells whether an entity looks after others now: not while an action runs, or others decide what happens. */
function looks({ running, reservation, postponed, rollingOver }: Snapshot): boolean {
  return (!running || running.awaits !== undefined) && !reservation && !postponed && !rollingOver;
}
