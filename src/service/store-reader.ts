import type { EntityRecord } from '../protocol/records.js';
import type { EntityRef } from '../protocol/names.js';

/** What the service reads from the store. */
export interface StoreReader {
  /** The row of an entity: how it stood when it last said so. Nothing when there is none. S5.2 */
  entity(ref: EntityRef): Promise<EntityRecord | undefined>;
}
