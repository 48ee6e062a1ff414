import type { EventResult } from './event-results.js';
import { outcomeOfOnly } from './outcome.js';
import type { EventRecord } from './records.js';

/**
 * The result of an event by its record alone; nothing while it goes on. An error that a later attempt made good does not count. The
 * store knows besides that it was canceled with its operation: see the view of results.
 */
export function eventResult({
  endedAt,
  endVersion,
  endHealth = 'normal',
  endDetails,
}: EventRecord): EventResult | undefined {
  if (endedAt === undefined) return undefined;
  // A rejected event has no end version, since it has moved nothing. S2.2
  if (endVersion === undefined) return 'rejected';
  return outcomeOfOnly({ ...endDetails, health: endHealth });
}
