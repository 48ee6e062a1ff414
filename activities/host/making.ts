import type pg from 'pg';

/*
 * All that operations are making in the databases of an instance: indexes and constraints that a standby does not have at the same moment.
 * It stands in the database `postgres`, beside the records of jobs, which nothing publishes.
 */
const SCHEMA = 'reeve_jobs';
/** Of all that create something there at once, one does it. The records of jobs take the same number. */
const LOCK = 7_346_582_913;

/** Something that an operation is making. */
export interface Making {
  /** The name of the operation. */
  readonly instance: string;
  readonly database: string;
  /** The name of the index or constraint. */
  readonly name: string;
}

/** Notes it. The session is in the database `postgres`. The same again does nothing. */
export async function noteMaking(client: pg.Client, { instance, database, name }: Making): Promise<void> {
  if (!(await isThere(client))) await create(client);
  await client.query(`INSERT INTO ${SCHEMA}.making VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
    ...[instance, database, name],
  ]);
}

/** Forgets what an operation has made. */
export async function forgetMaking(client: pg.Client, instance: string): Promise<void> {
  if (await isThere(client)) await client.query(`DELETE FROM ${SCHEMA}.making WHERE instance = $1`, [instance]);
}

/** The names of what is made in a database now. */
export async function madeNow(client: pg.Client, database: string): Promise<readonly string[]> {
  if (!(await isThere(client))) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT name FROM ${SCHEMA}.making WHERE database = $1`,
    [database],
  );
  return rows.map(({ name }) => name);
}

async function isThere(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: string | null }>(`SELECT to_regclass('${SCHEMA}.making') AS there`);
  return rows[0]!.there !== null;
}

async function create(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}.making (
       instance text, database text, name text, PRIMARY KEY (instance, database, name)
     )`,
  );
  await client.query('COMMIT');
}
