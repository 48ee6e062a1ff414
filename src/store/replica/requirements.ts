import { ReplicaError } from './replica-error.js';
import { readProvenance } from './provenance.js';
import type { Side } from './side.js';

/** `server_version_num` of the oldest PostgreSQL that the store and its replicas work on. */
const OLDEST = 160_000;

interface Settings {
  readonly version: string;
  readonly number: number;
  readonly wal: string;
  readonly senders: number;
  readonly workers: number;
  readonly recovers: boolean;
}

const SETTINGS = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('wal_level') as wal, current_setting('max_wal_senders')::int as senders,
  current_setting('max_logical_replication_workers')::int as workers, pg_is_in_recovery() as recovers`;

/** Anything in PostgreSQL that holds rows or makes them, beside what belongs to the system and to extensions. */
const OCCUPANT = `select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and nspname !~ '^(pg_|information_schema$)'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by 1 limit 1`;

/** @throws ReplicaError where the store's server cannot tell others what changes in it, naming the setting */
export async function requireSource(store: Side): Promise<void> {
  const { version, number, wal, senders, recovers } = await store.one<Settings>(SETTINGS);
  if (number < OLDEST) throw tooOld(store, version);
  if (recovers) {
    throw new ReplicaError('store_is_standby', `${store.called} is a standby, which cannot publish. Name its primary.`);
  }
  if (wal !== 'logical') {
    throw new ReplicaError(
      'wal_level_too_low',
      `${store.called} has wal_level = ${wal}; a replica needs wal_level = logical. Set it on that server ` +
        `(ALTER SYSTEM SET wal_level = logical) and restart the server.`,
    );
  }
  if (senders === 0) {
    throw new ReplicaError(
      'no_wal_senders',
      `${store.called} has max_wal_senders = 0; each replica needs one. Set it on that server and restart the server.`,
    );
  }
  const provenance = await readProvenance(store);
  if (provenance) {
    throw new ReplicaError(
      'store_is_replica',
      `${store.called} is itself a replica, of the store at ${provenance.storePlace}. Replicate that store, or promote this one first.`,
    );
  }
}

/** @throws ReplicaError where the replica's server cannot follow another one */
export async function requireTarget(target: Side): Promise<void> {
  const { version, number, workers, recovers } = await target.one<Settings>(SETTINGS);
  if (number < OLDEST) throw tooOld(target, version);
  if (recovers)
    throw new ReplicaError('replica_is_standby', `${target.called} is a standby, which cannot be written to.`);
  if (workers === 0) {
    throw new ReplicaError(
      'no_replication_workers',
      `${target.called} has max_logical_replication_workers = 0. Set it on that server and restart the server.`,
    );
  }
}

/** @throws ReplicaError where a database has something in it */
export async function requireEmpty(target: Side): Promise<void> {
  const [occupant] = await target.query<{ name: string }>(OCCUPANT);
  if (occupant === undefined) return;
  throw new ReplicaError(
    'target_not_empty',
    `The database at ${target.place} is not empty, and no replica of this store: it has ${occupant.name}. Name an empty ` +
      `database; it is created if it does not exist.`,
  );
}

function tooOld(side: Side, version: string): ReplicaError {
  return new ReplicaError('postgres_too_old', `${side.called} is PostgreSQL ${version}. It has to be 16 or newer.`);
}
