import { sql } from 'kysely';
import type { EntityRef } from '../../protocol/names.js';
import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

/** An entity as it stood when it last told the store. A read falls back to this when no worker is up. S5.2 */
export function readEntity(reader: StoreReader, { type, key }: EntityRef): Promise<StoreViews['entities'] | undefined> {
  return reader.selectFrom('entities').selectAll().where('type', '=', type).where('key', '=', key).executeTakeFirst();
}

/** Those of many entities that have a row. S5.2 */
export function readEntities(
  reader: StoreReader,
  refs: readonly EntityRef[],
): Promise<readonly StoreViews['entities'][]> {
  const types = refs.map(({ type }) => type);
  const keys = refs.map(({ key }) => key);
  return reader
    .selectFrom('entities')
    .selectAll()
    .where(sql<boolean>`(type, key) in (select * from unnest(${types}::text[], ${keys}::text[]))`)
    .execute();
}
