import type { EventResult } from './event-results.js';
import { outcomeOfOnly } from './outcome.js';
import type { EventRecord } from './records.js';

/**
 * The result of an event by its record; nothing while it goes on. An error that a later attempt made good does not count.
 */
export function eventResult({
  endedAt,
  endVersion,
  endHealth = 'normal',
  endDetails,
  canceled,
}: EventRecord): EventResult | undefined {
  if (endedAt === undefined) return undefined;
  // A rejected event has no end version, since it has moved nothing. S2.2
  if (endVersion === undefined) return 'rejected';
  const outcome = outcomeOfOnly({ ...endDetails, health: endHealth });
  return outcome === 'success' && canceled ? 'canceled' : outcome;
}
