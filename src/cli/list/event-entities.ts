import { entityId } from '../../protocol/names.js';
import type { StoreSession } from '../store-session.js';

/** Which entity each event is of: `LogicalServer/orders`. */
export async function readEventEntities(
  { reader }: StoreSession,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await reader
    .selectFrom('state_machine_events')
    .select(['event_id', 'state_machine_type', 'keys'])
    .where('event_id', 'in', wanted)
    .execute();
  return new Map(rows.map(({ event_id: id, state_machine_type: type, keys: key }) => [id, entityId({ type, key })]));
}
