/*
 * Tells who hears where an entity settles. S4.4
 *
 * watchers.1. An entity that has raised an event here watches until the operation of that event is over here. One that judges
 *     reports watches until another operation has settled after that: its patterns over the successors of the operation count
 *     until then (S4.3). One that was told that the entity waits for its own successors watches until it waits no more: it waits
 *     likewise, and would take an end of which it does not hear for a loss.
 * watchers.2. An entity that counts this one for life, or has a link to its type, watches for life.
 * watchers.3. The creator of this entity is told of its end, whenever that comes.
 * watchers.4. An entity that looks after this one still waits for it, and is told where it settles next (look-answer.ts).
 */
import { sameEntity } from '../../protocol/names.js';
import type { Watcher } from '../../protocol/request.js';
import type { KeptWatcher, Snapshot } from '../../protocol/snapshot.js';

/** The watchers, with the entity that has raised an event as the last. */
export function watchedBy(snapshot: Snapshot, from: Watcher | undefined, operation: string): readonly KeptWatcher[] {
  const { watchers } = snapshot;
  if (!from) return watchers;
  const known = watchers.find((watcher) => sameEntity(watcher, from));
  // An entity without an operation so far was created by this event.
  const creator = known ? known.creator === true && known.life === from.life : snapshot.operation === undefined;
  const others = known ? watchers.filter((watcher) => watcher !== known) : watchers;
  return [...others, { operation, ...(creator && { creator }), ...from }];
}

/** Those who are told that the entity has settled. */
export function toldOf({ watchers }: Snapshot, deleted: boolean): readonly KeptWatcher[] {
  return deleted ? watchers : watchers.filter(({ onlyEnd }) => !onlyEnd);
}

/**
 * Those who go on watching an entity after it has settled and told them.
 *
 * @param waits whether it rests for its own successors
 */
export function stillWatching(settled: Snapshot, waits: boolean): readonly KeptWatcher[] {
  if (waits || settled.watchers.length === 0) return settled.watchers;
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
