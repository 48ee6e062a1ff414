import type { StoreSession } from '../store-session.js';

/** What errors say, by their id in the store. */
export async function readErrorDetails(
  { reader }: StoreSession,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await reader
    .selectFrom('workflow_errors')
    .select(['error_id', 'error_details'])
    .where('error_id', 'in', wanted)
    .execute();
  return new Map(rows.map(({ error_id: id, error_details: details }) => [id, details]));
}
