import pg from 'pg';
import { makeDimensionIndexes } from './dimension-indexes.js';
import { makeViews } from './make-views.js';
import { TABLES, VIEWS } from './names.js';
import { migratorOn } from './migrator.js';
import { makeReader, type ReaderLogin } from './reader-role.js';
import { messageOf } from '../definition/thrown.js';

export interface MigrateOptions {
  /** The names of the dimensions that the application declares. Each becomes a column of the views. S5.1 */
  readonly dimensions: readonly string[];
  /** The user as which readers log in. */
  readonly login: ReaderLogin;
  readonly warn: (message: string) => void;
}

/** The number of the lock by which processes that migrate at the same time take turns. Any number would do. */
const LOCK = 7_300_125;

/** PostgreSQL's codes for a missing column and a missing table. */
const MISSING = ['42703', '42P01'];

/**
 * Brings the tables, the views and the reader's role to what this version needs. It can be repeated, and several processes can
 * do it at once. The pool needs two connections.
 * @throws when a migration fails; that migration has then changed nothing
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
    // When the connection breaks, PostgreSQL gives the lock back.
    const unlocked = await client.query(`select pg_advisory_unlock(${LOCK})`).then(
      () => true,
      () => false,
    );
    client.release(!unlocked);
  }
}

/** @throws an error that says what to do: the tables were changed, or no migration leads from their version to this one */
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
  throw new Error(`${place}: ${messageOf(error)}`, { cause: error });
}
