import type { AwaitedCallback } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** How many of them are told to the store and to people: the oldest ones. */
export const TOLD_CALLBACKS = 100;

/** The answers from outside that an entity awaits, the oldest first. A2 */
export function awaitedCallbacks({ running, callbacks = [], addresses = [] }: Snapshot): readonly AwaitedCallback[] {
  const waits = new Set(running?.awaits?.map(({ wait }) => wait));
  const calls = callbacks
    .filter(({ id }) => waits.has(id))
    .map(({ id, call, askedAt: since, until }): AwaitedCallback => ({ id, call, since, until }));
  const events = addresses
    .filter(({ open }) => open)
    .map(({ id, event, madeAt: since, until }): AwaitedCallback => ({ id, event, since, until }));
  return [...calls, ...events].sort((one, other) => one.since - other.since);
}
