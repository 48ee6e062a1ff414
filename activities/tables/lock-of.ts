import type pg from 'pg';
import type { JobContext, JobLock } from '../../src/distributed/index.js';
import type { SessionSource } from './sessions.js';

/** How often is looked for a lock, in milliseconds. */
const LOOK_MS = 1_000;

/** Finds the lock for which a backend of PostgreSQL waits, with the backends that hold it; nothing where it does not wait. */
export async function lockOf(client: pg.Client, pid: number): Promise<JobLock | undefined> {
  const { rows } = await client.query<Waiting>(WAITING, [pid]);
  const [waiting] = rows;
  if (!waiting || waiting.pids.length === 0) return undefined;
  const { pids, type, relation, holders } = waiting;
  const what = relation === null ? `a lock (${type ?? 'unknown'})` : `a lock of ${relation}`;
  return { message: `It waits in PostgreSQL for ${what}, held by ${holders.join('; ')}.`, pids };
}

/** The same of a session that its owner is using: another session of the superuser looks. */
export async function lockOfSession(
  sessions: SessionSource,
  { application, database, name }: { readonly application: string; readonly database: string; readonly name: string },
  { processID: pid }: pg.Client & { readonly processID?: number | null },
): Promise<JobLock | undefined> {
  if (typeof pid !== 'number') return undefined;
  return sessions.use(application, database, name, (other) => lockOf(other, pid));
}

interface Waiting {
  readonly pids: readonly number[];
  readonly type: string | null;
  readonly relation: string | null;
  readonly holders: readonly string[];
}

// Statements may have secrets in them, so only the names and states of the holders are told.
const WAITING = `
  SELECT blockers.pids,
    (SELECT locktype FROM pg_locks WHERE pid = $1 AND NOT granted LIMIT 1) AS type,
    (SELECT relation::regclass::text FROM pg_locks WHERE pid = $1 AND NOT granted AND relation IS NOT NULL LIMIT 1) AS relation,
    ARRAY(SELECT format('%s (pid %s, %s)', coalesce(nullif(application_name, ''), usename), pid, coalesce(state, backend_type))
      FROM pg_stat_activity WHERE pid = ANY(blockers.pids) ORDER BY pid) AS holders
  FROM (SELECT ARRAY(SELECT DISTINCT unnest(pg_blocking_pids($1::integer)) ORDER BY 1) AS pids) AS blockers`;

/** Does something, and shows all the while for which lock it waits, if it does. */
export async function showingLocks<T>(
  context: Pick<JobContext, 'waitsForLock'>,
  look: () => Promise<JobLock | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  let looking = false;
  // A look that fails shows nothing, and the next one follows.
  const once = async () => context.waitsForLock(await look().catch(() => undefined));
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void once().finally(() => (looking = false));
  }, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    context.waitsForLock();
  }
}
