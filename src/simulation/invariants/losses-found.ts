import { entityId, sameEntity } from '../../protocol/names.js';
import { isGone, meantBy } from '../../kernel/index.js';
import { patternsIn } from '../../definition/checks/patterns.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import type { Invariant, Overview, Subject } from '../fact.js';

/** How long after its end by an operator a successor has to be seen as lost, in milliseconds. */
const FOUND_WITHIN_MS = 30_000;

/** S4.4: a successor that was terminated is seen as lost, from every state; and one that was not is not. */
export function lossesFound(): Invariant {
  /** Each life that was ended, and when. */
  const ended = new Map<string, { readonly id: string; readonly at: number }>();
  return {
    name: 'a terminated successor is lost, and no other life of it',
    hear(fact, all) {
      if (fact.kind === 'terminated' && !fact.untold) ended.set(fact.life, { id: fact.id, at: all.now });
      if (fact.kind === 'changed' && fact.before) return believedOfAnother(fact.before, fact.after, all);
      return fact.kind === 'paused' || fact.kind === 'quiet' ? overlooked(all) : undefined;
    },
  };

  function overlooked(all: Overview): string | undefined {
    if (ended.size === 0) return undefined;
    for (const { subject, snapshot } of all.entities()) {
      for (const successor of snapshot.successors) {
        const at = successor.life === undefined ? undefined : ended.get(successor.life)?.at;
        if (at === undefined || all.now - at <= FOUND_WITHIN_MS || hasEnded(successor)) continue;
        if (!isAskedFor(subject, snapshot, successor)) continue;
        return `${entityId(successor)} was terminated ${all.now - at} ms ago, and is not lost for ${subject.id} in ${snapshot.state}`;
      }
    }
    return undefined;
  }

  /** Finds a successor that was taken for lost though its life has been heard of and goes on. */
  function believedOfAnother(before: Snapshot, after: Snapshot, all: Overview): string | undefined {
    for (const successor of after.successors) {
      if (!successor.outcome?.lost || successor.life === undefined || ended.has(successor.life)) continue;
      const known = before.successors.find((each) => sameEntity(each, successor));
      // An operator may give up one that was deleted, before its last run has ended.
      const lives = all
        .entities()
        .some(({ subject, snapshot }) => subject.life === successor.life && !isGone(subject.entity, snapshot));
      if (lives && known && known.life === successor.life && !known.outcome?.lost) {
        return `${entityId(successor)} of life ${successor.life} lives, and is lost for ${entityId(after)}`;
      }
    }
    return undefined;
  }
}

/**
 * Tells whether a successor reports nothing more: it was deleted or has rejected its event. Looks find an unanswered one until it
 * answers.
 */
function hasEnded({ event, outcome }: Successor): boolean {
  return event === 'pending' || event === 'rejected' || outcome?.lost === true || outcome?.closed === true;
}

/**
 * Tells whether a subscription waits for the successor. A subscription that does not count for life, and whose operation is over
 * here, hears of it only until the successor has settled for another operation. watchers.1
 */
function isAskedFor({ entity }: Subject, snapshot: Snapshot, successor: Successor): boolean {
  return Object.values(entity.subscriptions).some(
    ({ when, among }) =>
      (among === 'life' || snapshot.awaiting.includes(successor.operation)) &&
      patternsIn(when).some(({ filter }) => meantBy(filter, [successor]).length > 0),
  );
}
