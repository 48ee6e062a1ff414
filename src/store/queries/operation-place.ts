import type { EntityRef } from '../../protocol/names.js';
import type { StoreReader } from '../reader.js';

/** The entity on which an operation was opened; nothing where the store does not know the operation. S4.7 */
export async function readOperationPlace(reader: StoreReader, requestId: string): Promise<EntityRef | undefined> {
  const found = reader.selectFrom('operation_places').select(['type', 'key']).where('request_id', '=', requestId);
  return found.limit(1).executeTakeFirst();
}
