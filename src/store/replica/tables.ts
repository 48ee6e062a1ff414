import { migrate } from '../migrate.js';
import { MIGRATIONS } from '../migrations/index.js';
import { MIGRATIONS_TABLE, TABLES } from '../names.js';
import { readerLogin } from '../reader-role.js';
import { untilArrived } from './arrival.js';
import type { Replica } from './replica.js';
import { ReplicaError } from './replica-error.js';
import { guard, leaveOutRows } from './provenance.js';
import type { Side } from './side.js';
import { pause, readSubscription, subscribe } from './replica-subscription.js';

/*
 * Replication carries rows and not the tables that hold them: a replica is migrated like the store.
 *
 * tables.1. A replica has the migrations of its store, in which all rows that were written before them have arrived.
 * tables.2. What a migration put into the store comes by replication, and not by the replica's own migration.
 */

const ARRIVES_WITHIN_MS = 10 * 60_000;

/** The migrations that a database has had, in order. */
export async function migrationsOf(side: Side): Promise<readonly string[]> {
  const name = `${TABLES}.${MIGRATIONS_TABLE}`;
  const { there } = await side.one<{ there: boolean }>(`select to_regclass('${name}') is not null as there`);
  if (!there) return [];
  const rows = await side.query<{ name: string }>(`select name from ${name} order by name`);
  return rows.map((row) => row.name);
}

/** @throws ReplicaError where a database is of a newer version than this command */
export async function requireKnownVersion(side: Side): Promise<void> {
  const later = (await migrationsOf(side)).filter((name) => !(name in MIGRATIONS));
  if (later.length === 0) return;
  throw new ReplicaError(
    'version_differs',
    `${side.called} is of a newer version than this command: it has the migration ${later.join(', ')}. Run 'reeve replica' ` +
      `of the version that the workers have.`,
  );
}

/** @throws ReplicaError where the store is of another version than this command */
export async function requireVersion(store: Side): Promise<void> {
  await requireKnownVersion(store);
  const had = await migrationsOf(store);
  const lacking = Object.keys(MIGRATIONS).filter((name) => !had.includes(name));
  if (lacking.length > 0) {
    throw new ReplicaError(
      'version_differs',
      `${store.called} is of an older version than this command: the migration ${lacking.join(', ')} is missing. Run ` +
        `'reeve store migrate', or 'reeve replica' of the version that the workers have.`,
    );
  }
}

/** Tells whether a replica lacks migrations that its store has had. */
export async function lacksMigrations({ store, target }: Replica): Promise<boolean> {
  const [theirs, own] = await Promise.all([migrationsOf(store), migrationsOf(target)]);
  return theirs.some((name) => !own.includes(name));
}

/** Makes the replica's tables, views and roles what the store's are. Can be repeated. @throws ReplicaError */
export async function alignTables(replica: Replica, name: string): Promise<void> {
  const { store, target, dimensions, warn } = replica;
  await requireVersion(store);
  const begun = (await migrationsOf(target)).length > 0;
  if (begun && (await lacksMigrations(replica))) {
    if (await readSubscription(target, name)) await untilBeforeMigration(replica, name);
    await leaveOutRows(target);
  }
  await target.attempt(() => migrate(target.pool, { dimensions, login: readerLogin(target.url), warn }));
  await guard(target);
}

/** Rows written before a migration have the columns of before, and what comes after it those of after: it stops at the latest there. */
async function untilBeforeMigration(replica: Replica, name: string): Promise<void> {
  // It may have been paused when this was cut short.
  await subscribe(replica.target, name, replica.reachedAt);
  await untilArrived(replica, name, { withinMs: ARRIVES_WITHIN_MS, orStuck: true });
  await pause(replica.target, name);
}
