import pg from 'pg';
import { makeDimensionIndexes } from './dimension-indexes.js';
import { makeViews } from './make-views.js';
import { TABLES, VIEWS } from './names.js';
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

/** PostgreSQL's codes of a column and a table that are not there. */
const MISSING = ['42703', '42P01'];

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
    await makeViews(client, options.dimensions).catch(explainMisfit);
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

/** @throws what to do where tables were changed, or made by a version of which no migration leads here */
function explainMisfit(thrown: unknown): never {
  if (!(thrown instanceof pg.DatabaseError) || !MISSING.includes(thrown.code ?? '')) throw thrown;
  const remedy = `Drop the schemas '${VIEWS}' and '${TABLES}', and fill the store again with 'reeve store rebuild'.`;
  throw new Error(`The tables of the store are not those of this version: ${thrown.message}. ${remedy}`, {
    cause: thrown,
  });
}

async function migrateTables(pool: pg.Pool): Promise<void> {
  const { error, results } = await migratorOn(pool).migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const place = failed === undefined ? 'The store cannot be migrated' : `The migration '${failed}' of the store failed`;
  throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
