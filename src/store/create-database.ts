import pg from 'pg';

const EXISTS = ['42P04', '23505'];

/**
 * Makes the database of a URL on its server, unless it exists. It connects to the database `postgres`, as the user of the URL.
 * @throws when the server is away, or the user may not create databases
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
