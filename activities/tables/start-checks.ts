import pg from 'pg';
import type { StartProblem } from '../../src/distributed/index.js';
import type { LiveTable } from './table-places.js';

/** Why an operation cannot start: columns that the table does not have. */
export async function unknownColumns(
  client: pg.Client,
  { key, table }: LiveTable,
  columns: readonly string[],
): Promise<StartProblem> {
  const { rows } = await client.query<{ attname: string }>(
    'SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
    [pg.escapeIdentifier(table)],
  );
  const known = rows.map(({ attname }) => attname);
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length === 0) return undefined;
  const message = `${key} has no column ${unknown.map((name) => `'${name}'`).join(', ')}. It has: ${known.join(', ')}.`;
  return { code: 'unknown_column', message };
}

/** Why an operation cannot start while an instance is away. */
export function awayProblem(target: string, { message }: Error): StartProblem {
  return { code: 'database_away', message: `${target} cannot be looked at now: ${message} Try again later.` };
}
