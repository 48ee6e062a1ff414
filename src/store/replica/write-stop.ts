import pg from 'pg';
import { ReplicaError } from './replica-error.js';
import type { Side } from './side.js';

const NOT_PERMITTED = '42501';

/*
 * A store whose writes are stopped takes no rows: whoever writes waits with them, as when it is away, until DATABASE_URL names the one that has
 * taken its place. So nothing is written to the old one that the new one lacks.
 */

/**
 * Lets nobody write to a database any more who does not insist, and ends the connections of those who did.
 * @throws ReplicaError where the role does not own the database
 */
export async function stopWrites(store: Side): Promise<void> {
  try {
    await store.query(`alter database ${databaseOf(store)} set default_transaction_read_only = on`);
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== NOT_PERMITTED) throw thrown;
    throw new ReplicaError(
      'role_cannot_stop_writes',
      `${store.called} lets only the owner of its database stop writes (${thrown.message}). Stop the workers and services ` +
        `instead, and promote without --stop-writes.`,
      { cause: thrown },
    );
  }
  await store.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and usename = current_user
       and application_name <> 'reeve replica'`,
  );
}

export async function allowWrites(store: Side): Promise<void> {
  await store.query(allowStatement(store));
}

/** For people who want to write to the old store again. */
export function allowStatement(store: Side): string {
  return `alter database ${databaseOf(store)} reset default_transaction_read_only`;
}

function databaseOf({ url }: Side): string {
  return pg.escapeIdentifier(decodeURIComponent(new URL(url).pathname.slice(1)));
}
