import type pg from 'pg';
import { notRead, slotLost } from './arrival.js';
import { replicaName, identityOf, type Replica } from './replica.js';
import { ReplicaError, SideAway } from './replica-error.js';
import { readProvenance } from './provenance.js';
import { replicaRecords, publishedTables, readSlot, type Slot } from './publication.js';
import type { Side } from './side.js';
import { failuresOf, subscribedTables } from './replica-subscription.js';

/** The changes that a replica does not have yet. */
export interface Lag {
  /** The milliseconds since the commit of the oldest transaction that it lacks; 0 where it lacks none. */
  readonly behind_ms: number;
  /** The rows that were written, changed or deleted since. */
  readonly rows: number;
  /** There are more rows than were counted. */
  readonly more: boolean;
  /** How much of the log comes after what it has, for whatever was written. */
  readonly bytes: number;
}

/** How a replica is. A6 */
export interface ReplicaStatus {
  readonly name: string;
  /** Where the store and the replica are. */
  readonly store: string;
  readonly replica: string;
  /**
   * `copying`: tables are still copied from their beginning. `following`: each change is brought. `unread`: nobody reads what
   * the store's server keeps for it. `lost`: that is gone. `unreachable`: one side does not answer.
   */
  readonly state: 'copying' | 'following' | 'unread' | 'lost' | 'unreachable';
  /** How many tables have all their rows; nothing where the replica was not asked. */
  readonly tables: { readonly ready: number; readonly all: number } | null;
  readonly lag: Lag | null;
  /** The log that the store's server keeps for the replica, and the most that it keeps; no limit: null. */
  readonly held: { readonly bytes: number; readonly limit: number | null } | null;
  /** How often the replica's server has failed to take something in; its log says why. */
  readonly failures: number | null;
  /** Tells what is wrong, in words. */
  readonly problem: string | null;
}

/** More rows than these are not counted. */
const COUNTED = 100_000;

/*
 * All that the slot has still to tell, as the protocol of logical replication writes it: the first byte is the kind of a message
 * (B begin, I insert, U update, D delete, T truncate); in a B, bytes 10 to 17 are the microseconds from 2000 to the commit.
 */
const PENDING = `select count(*) filter (where get_byte(data, 0) in (73, 85, 68, 84))::float8 as rows,
    coalesce(extract(epoch from clock_timestamp()) - 946684800 -
      min(('x' || encode(substr(data, 10, 8), 'hex'))::bit(64)::bigint) filter (where get_byte(data, 0) = 66) / 1e6, 0)::float8 as seconds
  from pg_logical_slot_peek_binary_changes($1, null, ${COUNTED}, 'proto_version', '1', 'publication_names', $2)`;

/** How far a replica is behind: exactly, by the log itself. Nothing where the server has no room to look (max_replication_slots). */
async function readLag(store: Side, name: string): Promise<Lag | null> {
  const { bytes } = await store.one<{ bytes: number }>(
    `select greatest(0, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn))::float8 as bytes
     from pg_replication_slots where slot_name = $1`,
    [name],
  );
  if (bytes === 0) return { behind_ms: 0, rows: 0, more: false, bytes: 0 };
  return store.session(async (client: pg.Client) => {
    // A slot of one's own, as the other one is being read. It goes with the connection.
    const own = `${name}_look_${Date.now() % 1e9}_${Math.floor(Math.random() * 1e6)}`;
    try {
      await client.query(`select pg_copy_logical_replication_slot($1, $2, true, 'pgoutput')`, [name, own]);
    } catch (thrown) {
      if ((thrown as { readonly code?: string }).code === '53400') return null;
      throw thrown;
    }
    const { rows } = await client.query<{ rows: number; seconds: number }>(PENDING, [own, name]);
    const { rows: count, seconds } = rows[0]!;
    return { behind_ms: Math.max(0, Math.round(seconds * 1_000)), rows: count, more: count >= COUNTED, bytes };
  });
}

/** All replicas that the store's server knows of; of each, what it knows by itself. */
export async function readReplicas(store: Side): Promise<readonly ReplicaStatus[]> {
  const statuses: ReplicaStatus[] = [];
  for (const { name, place } of await replicaRecords(store)) {
    statuses.push(await statusAtStore(store, name, place));
  }
  return statuses;
}

/**
 * How the replica at an address is; where it does not answer, what the store's server knows.
 * @throws ReplicaError where there is none, and where the store does not answer
 */
export async function lookAtReplica(replica: Replica): Promise<ReplicaStatus> {
  const { store, target } = replica;
  const records = await replicaRecords(store);
  try {
    const name = replicaName(await identityOf(store), await identityOf(target));
    const provenance = await readProvenance(target);
    if (provenance?.name === name || records.some((each) => each.name === name)) return await readStatus(replica, name);
  } catch (thrown) {
    const record = records.find(({ place }) => place === target.place);
    if (!record || !(thrown instanceof SideAway)) throw thrown;
    const status = await statusAtStore(store, record.name, record.place);
    return { ...status, state: 'unreachable', problem: thrown.message };
  }
  throw new ReplicaError(
    'no_replica',
    `There is no replica of this store at ${target.place}. 'reeve replica --status' lists all replicas.`,
  );
}

/** How a replica is, asked on both sides; what a side says that does not answer is left out. */
export async function readStatus({ store, target }: Replica, name: string): Promise<ReplicaStatus> {
  const status = await statusAtStore(store, name, target.place).catch((thrown: unknown) =>
    unreachable(thrown, { name, store: store.place, replica: target.place }),
  );
  try {
    const published = status.state === 'unreachable' ? undefined : await publishedTables(store, name);
    const subscribed = await subscribedTables(target, name);
    const ready = subscribed.filter((table) => table.ready).length;
    const all = Math.max(published?.length ?? 0, subscribed.length);
    const failures = await failuresOf(target, name);
    const state = status.state === 'following' && ready < all ? 'copying' : status.state;
    const problem =
      state === 'unread' ? notRead(target) : state === 'lost' ? slotLost(store, target).message : status.problem;
    return { ...status, state, tables: { ready, all }, failures, problem };
  } catch (thrown) {
    return { ...unreachable(thrown, status), lag: status.lag, held: status.held };
  }
}

/** Says of a replica that one side does not answer. @throws what is no such failure */
export function unreachable(
  thrown: unknown,
  { name, store, replica }: Pick<ReplicaStatus, 'name' | 'store' | 'replica'>,
): ReplicaStatus {
  if (!(thrown instanceof SideAway)) throw thrown;
  const unknown = { tables: null, lag: null, held: null, failures: null };
  return { name, store, replica, state: 'unreachable', ...unknown, problem: thrown.message };
}

async function statusAtStore(store: Side, name: string, place: string): Promise<ReplicaStatus> {
  const slot = await readSlot(store, name);
  const lag = slot && !slot.lost ? await readLag(store, name) : null;
  const held = slot ? { bytes: slot.heldBytes, limit: slot.limitBytes } : null;
  const { state, problem } = stateOf(slot);
  return { name, store: store.place, replica: place, state, tables: null, lag, held, failures: null, problem };
}

function stateOf(slot: Slot | undefined): Pick<ReplicaStatus, 'state' | 'problem'> {
  if (!slot || slot.lost)
    return { state: 'lost', problem: 'The log that the replica needs was deleted. Copy all rows again with --anew.' };
  if (slot.active) return { state: 'following', problem: null };
  return {
    state: 'unread',
    problem: 'The replica does not read the log that the store keeps for it: the log grows until it does.',
  };
}
