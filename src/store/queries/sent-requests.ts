import type { EntityRef } from '../../protocol/names.js';
import type { StoreReader } from '../reader.js';

/** A request, and the entity to which it was sent. */
export interface SentRequest {
  readonly id: string;
  readonly on: EntityRef;
}

/** The most that are told of one key. Somebody may send the same one to each of many entities. */
const MOST = 1_000;

/** The requests whose id begins with an idempotency key, and goes on with the mark of who has sent it to what. S2.5 */
export async function readSentRequests(reader: StoreReader, key: string): Promise<readonly SentRequest[]> {
  const pattern = `${key.replaceAll(/[\\%_]/g, String.raw`\$&`)}~____________`;
  const rows = await reader
    .selectFrom('sent_requests')
    .select(['request_id', 'type', 'key'])
    .distinct()
    .where('request_id', 'like', pattern)
    .limit(MOST)
    .execute();
  return rows.map(({ request_id: id, type, key: of }) => ({ id, on: { type, key: of } }));
}
