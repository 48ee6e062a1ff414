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

/**
 * Those that run, and those that have failed since a time and were not started again on their target since: the oldest first, so many
 * of both at most. S5.4
 */
export async function openDistributed(
  reader: StoreReader,
  { since, rows }: { readonly since: Date; readonly rows: number },
): Promise<readonly DistributedRow[]> {
  const all = () => reader.selectFrom('distributed_operations as d').selectAll();
  const running = all().where('end_time', 'is', null).orderBy('start_time').limit(rows);
  const later = sql<boolean>`not exists (select from distributed_operations l where l.target = d.target and l.type = d.type and l.instance > d.instance)`;
  const failed = all()
    .where('outcome', '=', 'failed')
    .where('end_time', '>=', since)
    .where(later)
    .orderBy('end_time')
    .limit(rows);
  const found = await Promise.all([running.execute(), failed.execute()]);
  return found.flat();
}
