import pg from 'pg';

/** A statement gives up after this time when it waits for a lock, since all who write would wait behind it. It is tried again later. */
const PATIENCE = '2s';
const LOCK_NOT_AVAILABLE = '55P03';

/** Does work whose statements wait for locks only for a short time. */
export async function withLockPatience<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`SET lock_timeout = '${PATIENCE}'`);
  const done = await work();
  await client.query('RESET lock_timeout');
  return done;
}

/** Tells whether a statement has waited too long for a lock. */
export function hasLostPatience(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && thrown.code === LOCK_NOT_AVAILABLE;
}
