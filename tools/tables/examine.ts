import type pg from 'pg';
import type { Sessions } from '../../activities/tables/sessions.js';
import type { LiveTable } from '../../activities/tables/table-places.js';

/** Finds what is wrong with the databases of a table, after the operations on it have ended. `indexes` are all that were built. */
export async function examineTable(
  sessions: Sessions,
  { parts, table }: LiveTable,
  indexes: readonly string[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { primary, database } of parts) {
    const { application } = primary;
    const look = <T>(of: string, work: (client: pg.Client) => Promise<T>) =>
      sessions.use(application, of, 'verify-tables', work);
    const names = async (of: string, text: string) =>
      look(of, async (client) => (await client.query<{ name: string }>(text)).rows.map(({ name }) => name));
    const invalid = await names(
      database,
      'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid OR NOT indisready',
    );
    if (invalid.length > 0) problems.push(`${application} has indexes that are not valid: ${invalid.join(', ')}`);
    const there = await names(
      database,
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = '${table}'::regclass AND indisvalid`,
    );
    const missing = indexes.filter((index) => !there.includes(index));
    if (missing.length > 0) problems.push(`${application} lacks the indexes ${missing.join(', ')}`);
    for (const column of ['quantity', 'price']) {
      const [byScan, byIndex] = await look(database, async (client) => [
        await sumOf(
          client,
          table,
          column,
          'enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off',
        ),
        await sumOf(client, table, column, 'enable_seqscan = off'),
      ]);
      if (byScan !== byIndex) problems.push(`${application}: an index of ${column} finds ${byIndex}, a scan ${byScan}`);
    }
    for (const of of ['job', 'making']) {
      const left = await look('postgres', async (client) => {
        const { rows } = await client.query<{ there: string | null }>(
          `SELECT to_regclass('reeve_jobs.${of}') AS there`,
        );
        if (!rows[0]?.there) return 0;
        return (await client.query(`SELECT FROM reeve_jobs.${of}`)).rowCount ?? 0;
      });
      if (left > 0) problems.push(`${application} has ${left} rows left in reeve_jobs.${of}`);
    }
  }
  return problems;
}

async function sumOf(client: pg.Client, table: string, column: string, settings: string): Promise<string> {
  await client.query(`SET ${settings}`);
  const { rows } = await client.query<{ found: string }>(
    `SELECT count(*) || '/' || coalesce(sum(${column}), 0) AS found FROM ${table} WHERE ${column} > -1000`,
  );
  await client.query('RESET ALL');
  return rows[0]!.found;
}
