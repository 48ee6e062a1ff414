import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

/** Where history has an event, and the inline calls of its actions, of which history does not have the inputs. S5.1 */
export interface EventOrigin extends Omit<StoreViews['event_origins'], 'event_id'> {
  readonly inline: readonly Pick<
    StoreViews['calls'],
    'call_name' | 'action_name' | 'start_time' | 'end_time' | 'error_code' | 'error_message'
  >[];
}

/** The most inline calls of an event that are read. */
const MOST_CALLS = 200;

/** The origin of an event by its number; `undefined` when it is unknown. */
export async function readEventOrigin(reader: StoreReader, eventId: number): Promise<EventOrigin | undefined> {
  const found = await reader.selectFrom('event_origins').selectAll().where('event_id', '=', eventId).executeTakeFirst();
  if (!found) return undefined;
  const { event_id: _, ...origin } = found;
  const inline = await reader
    .selectFrom('calls')
    .select(['call_name', 'action_name', 'start_time', 'end_time', 'error_code', 'error_message'])
    .where('event_id', '=', eventId)
    .where('mode', '=', 'inline')
    .orderBy('transition_ordinal')
    .orderBy('call_place')
    .limit(MOST_CALLS)
    .execute();
  return { ...origin, inline };
}
