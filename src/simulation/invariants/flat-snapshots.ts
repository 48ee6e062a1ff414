import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';

/**
 * Q1: what is over leaves the snapshot. An entity at rest tells those who have raised something in its last operation, those who
 * watch for life, and its creator; while it waits for its successors, also those who have heard so. Of the deleted successors it keeps
 * those of its last operations, those of which it has heard since it settled, and as many as its patterns for life ask for.
 */
export function flatSnapshots(): Invariant {
  return {
    name: 'what is over leaves the snapshot',
    hear(fact) {
      if (fact.kind !== 'changed' || !rests(fact.after)) return undefined;
      const { by, before, after } = fact;
      const watcher = staleWatcher(after);
      if (watcher) return `${by.id} still tells ${watcher}, whose operation is over`;
      // Only successors that were deleted before the entity settled have certainly had their chance to be read.
      if (!before || before.engagements.length === 0) return undefined;
      const stale = after.successors.filter((each) => isStale(after, each) && wasDeleted(before, each));
      if (stale.length <= mostCounted(by.entity)) return undefined;
      return `${by.id} keeps ${stale.map(entityId).join(', ')}, deleted and of operations that are over`;
    },
  };
}

function rests({ running, engagements, postponed }: Snapshot): boolean {
  return !running && !postponed && engagements.length === 0;
}

function staleWatcher({ watchers, awaiting, operation }: Snapshot): string | undefined {
  if (watchers.filter(({ onlyEnd }) => onlyEnd).length > 1) return 'more than one creator';
  if (awaiting.length > 0) return undefined;
  const stale = watchers.find((each) => !each.lasting && !each.onlyEnd && each.operation !== operation?.id);
  return stale && entityId(stale);
}

function isStale(snapshot: Snapshot, { operation, request, outcome, event }: Successor): boolean {
  const { operation: last, awaiting, life, entry } = snapshot;
  const ofEntry = request.startsWith(`${entityId(snapshot)}#${life}/${entry}/`);
  const answered = event === 'settled' || event === 'rejected';
  return answered && outcome?.closed === true && operation !== last?.id && !awaiting.includes(operation) && !ofEntry;
}

function wasDeleted({ successors }: Snapshot, { type, key, request }: Successor): boolean {
  return successors.some(
    (each) => each.type === type && each.key === key && each.request === request && each.outcome?.closed === true,
  );
}

/** How many deleted successors the patterns for life may need. */
function mostCounted({ subscriptions }: AnyEntity): number {
  return Object.values(subscriptions)
    .filter(({ among }) => among === 'life')
    .flatMap(({ when }) => patternsIn(when))
    .reduce((sum, pattern) => sum + ('count' in pattern ? pattern.count : 1), 0);
}
