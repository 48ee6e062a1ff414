import pg from 'pg';
import type { JobLock, StartProblem } from '../../src/distributed/index.js';
import { lockOfSession, showingLocks } from './lock-of.js';
import { hasLostPatience, withLockPatience } from './lock-patience.js';
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

/**
 * Looks at each part of a table, where its primary is, until one of them says why an operation cannot start. A look waits for a lock only
 * for a short time: then the lock is why.
 */
export async function firstProblem(
  sessions: SessionSource,
  sessionsOf: (part: LivePart) => SessionSource,
  { key, parts }: LiveTable,
  name: string,
  look: (client: pg.Client, part: LivePart) => Promise<StartProblem>,
): Promise<StartProblem> {
  for (const part of parts) {
    const { database } = part;
    const { application } = part.primary;
    let lock: JobLock | undefined;
    const context = { waitsForLock: (seen?: JobLock) => void (lock = seen ?? lock) };
    try {
      const problem = await sessionsOf(part).use(application, database, name, (client) =>
        showingLocks(
          context,
          () => lockOfSession(sessions, { application, database, name }, client),
          () => withLockPatience(client, () => look(client, part)),
        ),
      );
      if (problem) return problem;
    } catch (thrown) {
      if (hasLostPatience(thrown)) {
        const why = lock?.message ?? `A session has it locked in the database '${database}'.`;
        return {
          code: 'locked',
          message: `${key} cannot be checked now. ${why} End that session, or try again later.`,
        };
      }
      if (!isAway(thrown)) throw thrown;
      return {
        code: 'database_unavailable',
        message: `${key} cannot be looked at now: ${thrown.message.replace(/\.?$/, '.')} Try again later.`,
      };
    }
  }
  return undefined;
}
