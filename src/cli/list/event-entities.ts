import { entityId } from '../../protocol/names.js';
import type { StoreSession } from '../store-session.js';
import { readByIds } from './ids.js';

/** Which entity each event is of: `LogicalServer/orders`. */
export function readEventEntities(
  { reader }: StoreSession,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const events = reader.selectFrom('state_machine_events').select(['event_id', 'state_machine_type', 'keys']);
  return readByIds(
    ids,
    (wanted) => events.where('event_id', 'in', wanted).execute(),
    ({ event_id: id, state_machine_type: type, keys: key }) => [id, entityId({ type, key })],
  );
}
