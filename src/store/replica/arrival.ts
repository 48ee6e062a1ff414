import { setTimeout as delay } from 'node:timers/promises';
import type { Replica } from './replica.js';
import { ReplicaError } from './replica-error.js';
import { readSlot } from './publication.js';
import type { Queryable, Side } from './side.js';
import { failuresOf } from './replica-subscription.js';

const LOOK_EVERY_MS = 50;
/** So many failures at one position of the log: fewer may be lost connections. PostgreSQL tries again after a while. */
const STUCK_AFTER_FAILURES = 5;

/**
 * The position in the log (LSN) after everything that was committed until now, and that its server has on its disk: nothing is
 * replicated before. A transaction that waits for the disk brings those there that did not.
 */
export async function currentLsn(client: Queryable): Promise<string> {
  await client.query('begin');
  await client.query('set local synchronous_commit = on');
  await client.query(`select pg_logical_emit_message(true, 'reeve', '')`);
  await client.query('commit');
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
  return rows[0]!.lsn;
}

/** Tells whether a replica has taken in everything up to a position. */
export async function hasArrived(store: Side, name: string, lsn: string): Promise<boolean> {
  const { arrived } = await store.one<{ arrived: boolean | null }>(
    `select greatest(confirmed_flush_lsn, (select replay_lsn from pg_stat_replication where pid = active_pid)) >= $2 as arrived
     from (select 1) as one left join pg_replication_slots on slot_name = $1`,
    [name, lsn],
  );
  return arrived === true;
}

/**
 * Waits until the replica has everything that was committed in the store until now; with `orStuck`, or takes nothing more in.
 * @throws ReplicaError when it has not within the time
 */
export async function untilArrived(
  { store, target }: Replica,
  name: string,
  { withinMs, orStuck = false }: { readonly withinMs: number; readonly orStuck?: boolean },
): Promise<void> {
  const lsn = await store.session(currentLsn);
  const end = Date.now() + withinMs;
  let last: { readonly arrived: string | null; readonly failures: number } | undefined;
  while (!(await hasArrived(store, name, lsn))) {
    const slot = await readSlot(store, name);
    if (!slot || slot.lost) throw slotLost(store, target);
    const failures = orStuck ? await failuresOf(target, name) : 0;
    if (last?.arrived !== slot.arrived) last = { arrived: slot.arrived, failures };
    if (failures >= last.failures + STUCK_AFTER_FAILURES) return;
    if (Date.now() > end) {
      throw new ReplicaError(
        'not_caught_up',
        `${target.called} has not caught up with the store within ${withinMs / 1_000} s. ` +
          (slot.active ? 'Try again later.' : notRead(target)),
      );
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Tells what to do about a replica that its server does not bring on, though both sides answer. */
export function notRead(target: Side): string {
  return (
    `Its server does not read from the store: the log of PostgreSQL at ${target.place} shows why. Possible causes: it reaches the store ` +
    `by another address (--from), it has no free worker (max_logical_replication_workers), or the store's server no free sender ` +
    `(max_wal_senders).`
  );
}

export function slotLost(store: Side, target: Side): ReplicaError {
  return new ReplicaError(
    'slot_lost',
    `${store.called} no longer has the log that the replica at ${target.place} needs: its slot or publication was dropped, or left unread ` +
      `for longer than max_slot_wal_keep_size allows. The replica was not changed. Copy all rows again with 'reeve replica --to ... --anew', ` +
      `or make it a store with what it has: 'reeve replica --to ... --promote --without-store'.`,
  );
}
