/*
 * One index on the table of one partition, in one database.
 *
 * partition-index.1. Whoever builds or drops it holds an advisory lock of PostgreSQL, so that nobody else does. The lock lasts as long as
 *     the session, also of a process that has died while PostgreSQL still builds for it.
 * partition-index.2. What a build that was cut short has left is not valid: it is dropped before the index is built anew.
 * partition-index.3. Nothing here waits for a lock that writers would have to queue behind.
 */
import pg from 'pg';
import type { JobLock } from '../../src/distributed/index.js';
import { lockOf } from './lock-of.js';
import { partitionTable } from '../values/table.js';

export interface IndexedPartition {
  readonly table: string;
  readonly partition: number;
  readonly index: string;
}

/** How an index is: `unfinished` may be built at the moment. */
export type IndexState = 'absent' | 'unfinished' | 'valid';

/** The name of the index on a partition. */
export function partitionIndex(index: string, partition: number): string {
  return partitionTable(index, partition);
}

export async function stateOfIndex(client: pg.Client, name: string): Promise<IndexState> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [pg.escapeIdentifier(name)],
  );
  if (!rows[0]) return 'absent';
  return rows[0].indisvalid ? 'valid' : 'unfinished';
}

/** Those of the names that are names of valid indexes. */
export async function validOf(client: pg.Client, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name JOIN pg_index ON indexrelid = to_regclass(quote_ident(name)) WHERE indisvalid`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** partition-index.1: whether the lock was free. It is held until the session ends. */
export async function takeIndex(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`, [name]);
  return rows[0]!.taken;
}

/** Builds it. The session must hold the lock. partition-index.2 */
export async function createIndex(
  client: pg.Client,
  { table, partition, index }: IndexedPartition,
  columns: readonly string[],
): Promise<void> {
  const name = partitionIndex(index, partition);
  const state = await stateOfIndex(client, name);
  if (state === 'valid') return;
  if (state === 'unfinished') await dropIndex(client, name);
  const on = pg.escapeIdentifier(partitionTable(table, partition));
  await client.query(
    `CREATE INDEX CONCURRENTLY ${pg.escapeIdentifier(name)} ON ${on} (${columns.map(pg.escapeIdentifier).join(', ')})`,
  );
}

/** Drops it if it is there. The session must hold the lock. */
export async function dropIndex(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`);
}

/** Lets the statement of whoever holds the lock end at once. */
export async function cancelHolder(client: pg.Client, name: string): Promise<void> {
  await client.query(`SELECT pg_cancel_backend(pid) FROM (${HOLDERS}) AS holder`, [name]);
}

/** How many blocks of the table whoever holds the lock has read for the index, of how many. */
export async function buildProgress(
  client: pg.Client,
  name: string,
): Promise<{ readonly done: number; readonly total: number }> {
  const { rows } = await client.query<{ phase: string; done: string; total: string }>(
    `SELECT phase, blocks_done AS done, blocks_total AS total FROM pg_stat_progress_create_index
     WHERE pid IN (${HOLDERS})`,
    [name],
  );
  const [row] = rows;
  if (!row) return { done: 0, total: 1 };
  const total = Math.max(1, Number(row.total));
  // The phases after the scan count other blocks, or none.
  if (row.phase.startsWith('building index')) return { done: Math.min(Number(row.done), total), total };
  return row.phase === 'initializing' || row.phase.startsWith('waiting for writers before build')
    ? { done: 0, total: 1 }
    : { done: 1, total: 1 };
}

/** Finds the lock for which the holder of the index waits; nothing where it does not wait. */
export async function lockOfHolder(client: pg.Client, name: string): Promise<JobLock | undefined> {
  const { rows } = await client.query<{ pid: number }>(HOLDERS, [name]);
  return rows[0] && lockOf(client, rows[0].pid);
}

/** The lock's number, from the name of the index. PostgreSQL keeps its halves apart. */
const LOCK = `hashtextextended('reeve index ' || $1, 0)`;
const HOLDERS = `
  SELECT pid FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((classid::bigint << 32) | objid::bigint) = ${LOCK}`;
