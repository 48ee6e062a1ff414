import pg from 'pg';
import type { StartProblem } from '../../src/distributed/index.js';
import { isAway, type SessionSource } from './sessions.js';
import type { LivePart, LiveTable } from './table-places.js';

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

/** Looks at each part of a table, where its primary is, until one of them says why an operation cannot start. */
export async function firstProblem(
  sessionsOf: (part: LivePart) => SessionSource,
  { key, parts }: LiveTable,
  instance: string,
  look: (client: pg.Client, part: LivePart) => Promise<StartProblem>,
): Promise<StartProblem> {
  for (const part of parts) {
    try {
      const { application } = part.primary;
      const problem = await sessionsOf(part).use(application, part.database, instance, (client) => look(client, part));
      if (problem) return problem;
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown;
      return {
        code: 'database_unavailable',
        message: `${key} cannot be looked at now: ${thrown.message.replace(/\.?$/, '.')} Try again later.`,
      };
    }
  }
  return undefined;
}
