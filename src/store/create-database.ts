import pg from 'pg';

const EXISTS = ['42P04', '23505'];

/**
 * Makes the database of a URL on its server, unless it is there. As a user that may do so, in the database `postgres`.
 * @throws when the server is away, or the user may not
 */
export async function createDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const database = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (thrown) {
    // Another process has made it at the same time.
    if (!(thrown instanceof pg.DatabaseError) || !EXISTS.includes(thrown.code ?? '')) throw thrown;
  } finally {
    await client.end();
  }
}
