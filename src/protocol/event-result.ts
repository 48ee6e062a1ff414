import { outcomeOfOnly } from './outcome.js';
import type { EventRecord } from './records.js';

/** What an event came to, as it is counted. S5.5 */
export type EventResult = ReturnType<typeof outcomeOfOnly> | 'rejected';

/** What an event came to; nothing while it goes on. An error that a retry made good is none. */
export function eventResult({
  endedAt,
  endVersion,
  endHealth = 'normal',
  endDetails,
}: EventRecord): EventResult | undefined {
  if (endedAt === undefined) return undefined;
  // What was rejected has moved nothing. S2.2
  if (endVersion === undefined) return 'rejected';
  return outcomeOfOnly({ ...endDetails, health: endHealth });
}
