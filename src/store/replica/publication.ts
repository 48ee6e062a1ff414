import pg from 'pg';
import { z } from 'zod';
import { TABLES } from '../names.js';
import { PREFIX } from './replica.js';
import { ReplicaError } from './replica-error.js';
import { storeTables } from './provenance.js';
import type { Side } from './side.js';

/*
 * The store's side of a replica: a publication of its tables, and a slot that keeps the log of what the replica does not have yet.
 * The publication's comment says for whom both are, so that they can be found and ended when the replica is gone. A6
 *
 * publication.1. The publication comes before the slot: the log is read by what was published when it was written.
 * publication.2. A slot is made only where no subscription has read from one: else changes would be missing.
 */

const record = z.object({
  /** Where the replica is, for people. */
  place: z.string(),
  /** Tells who it is: see `identityOf`. */
  identity: z.string(),
  /** The subscription's number there, by which PostgreSQL names the slots of tables that are copied for the first time. */
  subscription: z.string().optional(),
});

/** For whom a publication and its slot are. */
export type ReplicaRecord = z.output<typeof record>;

/** Rows without a key are told apart by all their values; else they could not be changed any more once published. */
const UNIDENTIFIED = `select relname as name from pg_class where relnamespace = to_regnamespace('${TABLES}')
  and relname = any ($1) and relreplident = 'd'
  and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`;

const NOT_PERMITTED = '42501';
const LIMIT_OF_SETTINGS = '53400';
const ALREADY_THERE = '42710';

/** Publishes all tables that the store has now. Whether it changed anything. */
export async function publish(store: Side, name: string, of: ReplicaRecord): Promise<boolean> {
  const tables = await storeTables(store);
  const unidentified = await store.query<{ name: string }>(UNIDENTIFIED, [tables]);
  for (const table of unidentified) await store.query(`alter table ${TABLES}."${table.name}" replica identity full`);
  const published = await publishedTables(store, name);
  const list = tables.map((table) => `${TABLES}."${table}"`).join(', ');
  const changes = published === undefined || published.join() !== tables.join();
  if (published === undefined) {
    await store.query(`create publication ${name} for table ${list} with (publish_via_partition_root = true)`);
  } else if (changes) {
    await store.query(`alter publication ${name} set table ${list}`);
  }
  const { subscription = (await recordOf(store, name))?.subscription } = of;
  await store.query(
    `comment on publication ${name} is ${pg.escapeLiteral(JSON.stringify({ ...of, ...(subscription !== undefined && { subscription }) }))}`,
  );
  return changes;
}

/** Publishes some tables no longer, until `publish` does again. */
export async function withhold(store: Side, name: string, tables: readonly string[]): Promise<void> {
  const list = tables.map((table) => `${TABLES}."${table}"`).join(', ');
  await store.query(`alter publication ${name} drop table ${list}`);
}

/** Nothing where there is no such publication. */
export async function publishedTables(store: Side, name: string): Promise<readonly string[] | undefined> {
  const rows = await store.query<{ names: readonly string[] }>(
    `select array(select t.tablename::text from pg_publication_tables t where t.pubname = p.pubname order by 1) as names
     from pg_publication p where pubname = $1`,
    [name],
  );
  return rows[0]?.names;
}

async function recordOf(store: Side, name: string): Promise<ReplicaRecord | undefined> {
  return (await replicaRecords(store)).find((each) => each.name === name);
}

/** The replicas that the store's server knows of, whether or not they are still there. */
export async function replicaRecords(store: Side): Promise<readonly (ReplicaRecord & { readonly name: string })[]> {
  const rows = await store.query<{ name: string; said: string | null }>(
    `select pubname as name, obj_description(oid, 'pg_publication') as said from pg_publication
     where starts_with(pubname, $1) order by pubname`,
    [PREFIX],
  );
  return rows.map(({ name, said }) => ({ name, ...read(said) }));
}

function read(said: string | null): ReplicaRecord {
  try {
    return record.parse(JSON.parse(said ?? ''));
  } catch {
    // A kill came between the publication and its comment.
    return { place: '?', identity: '?' };
  }
}

/** All that the server says of a slot. Places of the log are written as PostgreSQL does: `0/1BA7668`. */
export interface Slot {
  /** Tells whether somebody reads it. */
  readonly active: boolean;
  /** The log that it needs is gone. */
  readonly lost: boolean;
  /** Up to here, the replica has everything on its disk. */
  readonly arrived: string | null;
  /** The bytes of the log that the server keeps for it. */
  readonly heldBytes: number;
  /** At most so many are kept (`max_slot_wal_keep_size`); nothing where there is no limit. */
  readonly limitBytes: number | null;
}

const SLOT = `select active, coalesce(wal_status = 'lost', false) as lost, confirmed_flush_lsn::text as arrived,
    coalesce(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), restart_lsn), 0)::float8 as "heldBytes",
    case setting when '-1' then null else pg_size_bytes(setting || 'MB')::float8 end as "limitBytes"
  from pg_replication_slots, (select setting from pg_settings where name = 'max_slot_wal_keep_size') as keeps
  where slot_name = $1 and database = current_database()`;

/** Nothing where there is no such slot. */
export async function readSlot(store: Side, name: string): Promise<Slot | undefined> {
  return (await store.query<Slot>(SLOT, [name]))[0];
}

/** Keeps the log from now on for whoever reads by this name. @throws ReplicaError where the server or the role does not allow it */
export async function makeSlot(store: Side, name: string): Promise<void> {
  try {
    await store.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name]);
  } catch (thrown) {
    const code = thrown instanceof pg.DatabaseError ? thrown.code : undefined;
    if (code === ALREADY_THERE) return;
    if (code === NOT_PERMITTED) {
      const role = decodeURIComponent(new URL(store.url).username);
      throw new ReplicaError(
        'role_lacks_replication',
        `${store.called} does not let the role '${role}' create a replication slot, because the role does not have REPLICATION. As a superuser: ` +
          `ALTER ROLE ${pg.escapeIdentifier(role)} REPLICATION`,
        { cause: thrown },
      );
    }
    if (code !== LIMIT_OF_SETTINGS) throw thrown;
    throw new ReplicaError(
      'no_free_slot',
      `${store.called} has no free replication slot. Set max_replication_slots of that server higher and restart it, ` +
        `or remove a replica that you no longer need with 'reeve replica --drop' ('reeve replica --status' lists all).`,
      { cause: thrown },
    );
  }
}

/** Keeps nothing for a replica any more: its slots and its publication go, if they are there. */
export async function unpublish(store: Side, name: string): Promise<void> {
  const { identity = '', subscription } = (await recordOf(store, name)) ?? {};
  // Those of tables that were being copied for the first time outlast a replica that is gone.
  const ofTables = subscription === undefined ? '' : `^pg_${subscription}_sync_[0-9]+_${identity.split('/')[0]}$`;
  const slots = await store.query<{ name: string }>(
    `select slot_name as name from pg_replication_slots where slot_name = $1 or ($2 <> '' and slot_name ~ $2)`,
    [name, ofTables],
  );
  for (const slot of slots) {
    await store.query(
      `select pg_terminate_backend(active_pid, 5000) from pg_replication_slots where slot_name = $1 and active_pid is not null`,
      [slot.name],
    );
    await store.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1', [
      slot.name,
    ]);
  }
  await store.query(`drop publication if exists ${name}`);
}
