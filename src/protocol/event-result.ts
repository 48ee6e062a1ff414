import { outcomeOfOnly } from './outcome.js';
import type { EventRecord } from './records.js';

/** The result of an event, as it is counted. S5.5 */
export type EventResult = ReturnType<typeof outcomeOfOnly> | 'rejected';

/** The result of an event; nothing while it goes on. An error that a later attempt made good does not count. */
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
