/*
 * Who is told where an entity settles. S4.4
 *
 * watchers.1. Whoever has raised an event here watches until the operation of that event is over here; one that judges, until
 *     another operation has settled after it: a pattern among the successors of its operation still counts then. S4.3
 * watchers.2. Whoever counts the entity for life, or has a link to its type, watches for life.
 * watchers.3. Its creator is told of its end, whenever that comes.
 * watchers.4. Whoever looks after it still waits for it, and is told where it settles next (look-answer.ts).
 */
import { entityId } from '../../protocol/names.js';
import type { Watcher } from '../../protocol/request.js';
import type { KeptWatcher, Snapshot } from '../../protocol/snapshot.js';

/** The watchers with the one that has raised an event, as the last. */
export function watchedBy(snapshot: Snapshot, from: Watcher | undefined, operation: string): readonly KeptWatcher[] {
  const { watchers } = snapshot;
  if (!from) return watchers;
  const known = watchers.find((watcher) => entityId(watcher) === entityId(from));
  // What has had no operation has only come to be by this event.
  const creator = known ? known.creator === true && known.life === from.life : snapshot.operation === undefined;
  const others = known ? watchers.filter((watcher) => watcher !== known) : watchers;
  return [...others, { operation, ...(creator && { creator }), ...from }];
}

/** Those who are told that the entity has settled. */
export function toldOf({ watchers }: Snapshot, deleted: boolean): readonly KeptWatcher[] {
  return deleted ? watchers : watchers.filter(({ onlyEnd }) => !onlyEnd);
}

/** Those who go on watching an entity that has settled, and has told them. */
export function stillWatching(settled: Snapshot): readonly KeptWatcher[] {
  if (settled.watchers.length === 0) return settled.watchers;
  return settled.watchers.flatMap((watcher): readonly KeptWatcher[] => {
    if (watcher.lasting || isConcerned(settled, watcher)) return [watcher];
    return watcher.creator ? [{ onlyEnd: true, ...watcher }] : [];
  });
}

/** watchers.1 */
function isConcerned({ awaiting, operation: last, postponed }: Snapshot, { operation, judges }: KeptWatcher): boolean {
  return (
    awaiting.includes(operation) ||
    (last?.id === operation && (last.open || judges)) ||
    postponed?.engagement?.operation === operation
  );
}
