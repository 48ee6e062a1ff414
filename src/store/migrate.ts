import type pg from 'pg';
import { makeDimensionIndexes } from './dimension-indexes.js';
import { makeViews } from './make-views.js';
import { migratorOn } from './migrator.js';
import { makeReader, type ReaderLogin } from './reader-role.js';

export interface MigrateOptions {
  /** The names of the dimensions that the application declares: each becomes a column of the views. S5.1 */
  readonly dimensions: readonly string[];
  /** The user as which readers log in. */
  readonly login: ReaderLogin;
  readonly warn: (message: string) => void;
}

/** Any number: what the processes that migrate at the same time take turns on. */
const LOCK = 7_300_125;

/**
 * Makes the tables, the views and the reader's role what this version needs. Can be repeated, and done by several
 * processes at once. The pool needs two connections.
 * @throws when a migration fails, which then has changed nothing
 */
export async function migrate(pool: pg.Pool, options: MigrateOptions): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    await migrateTables(pool);
    await makeDimensionIndexes(client, options.dimensions);
    await makeViews(client, options.dimensions);
    await makeReader(client, options.login, options.warn);
  } finally {
    // A connection that breaks gives the lock back by itself.
    const unlocked = await client.query(`select pg_advisory_unlock(${LOCK})`).then(
      () => true,
      () => false,
    );
    client.release(!unlocked);
  }
}

async function migrateTables(pool: pg.Pool): Promise<void> {
  const { error, results } = await migratorOn(pool).migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const place = failed === undefined ? 'The store cannot be migrated' : `The migration '${failed}' of the store failed`;
  throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
