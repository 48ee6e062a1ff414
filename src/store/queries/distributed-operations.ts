import { sql } from 'kysely';
import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

export type DistributedRow = StoreViews['distributed_operations'];

/** The latest instance of a name, as it last told the store. S5.2 */
export function readDistributed(reader: StoreReader, name: string): Promise<DistributedRow | undefined> {
  const found = reader.selectFrom('distributed_operations').selectAll().where('name', '=', name);
  return found.orderBy('start_time', 'desc').limit(1).executeTakeFirst();
}

/** Which instances are listed: the latest first, after one of a page before. */
export interface DistributedPage {
  readonly target?: string | undefined;
  readonly rows: number;
  readonly after?: { readonly start: Date; readonly life: string } | undefined;
}

export function listDistributed(
  reader: StoreReader,
  { target, rows, after }: DistributedPage,
): Promise<readonly DistributedRow[]> {
  let query = reader.selectFrom('distributed_operations').selectAll();
  if (target !== undefined) query = query.where('target', '=', target);
  if (after) query = query.where(sql<boolean>`(start_time, life) < (${after.start}, ${after.life})`);
  return query.orderBy('start_time', 'desc').orderBy('life', 'desc').limit(rows).execute();
}
