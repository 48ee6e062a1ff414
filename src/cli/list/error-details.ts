import type { StoreSession } from '../store-session.js';
import { readByIds } from './ids.js';

/** What errors say, by their id in the store. */
export function readErrorDetails(
  { reader }: StoreSession,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const errors = reader.selectFrom('workflow_errors').select(['error_id', 'error_details']);
  return readByIds(
    ids,
    (wanted) => errors.where('error_id', 'in', wanted).execute(),
    ({ error_id: id, error_details: details }) => [id, details],
  );
}
