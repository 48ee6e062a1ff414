import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { TABLES } from '../names.js';
import { currentLsn, hasArrived, notRead } from './arrival.js';
import type { Replica } from './replica.js';
import { ReplicaError } from './replica-error.js';
import { storeTables } from './provenance.js';
import { requireSlot } from './keep.js';
import { readSlot } from './publication.js';
import type { Queryable } from './side.js';

/*
 * Both databases seen at one position (LSN) of the store's log. Nobody can ask for how the store was at one, so writers are held back
 * for the moment that the replica needs to come there.
 *
 * same-lsn.1. What is seen of the store is everything that was committed before that position, and nothing after it; the same of
 * the replica.
 * same-lsn.2. Writers wait for `HOLD_MS` at most at a time, and whoever has locked more than one table is never in the way: the
 * one that looks gives up first.
 */

/** Both sides, each in a transaction that sees its database as it was then. */
export interface SameLsn {
  readonly store: Queryable;
  readonly target: Queryable;
  /** The position, as PostgreSQL writes it: `0/1BA7668`. */
  readonly lsn: string;
}

const HOLD_MS = 1_500;
const LOCK_MS = 250;
const PAUSE_MS = 250;
const LOOK_EVERY_MS = 20;
const LOCK_NOT_HAD = '55P03';

const SEES_ONE_MOMENT = 'begin transaction isolation level repeatable read read only';

/** How values are written as texts: in the same way on both sides. */
const TEXTS = `set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/** Works on both sides at one position. @throws ReplicaError when the replica comes to none within the time */
export function atSameLsn<T>(
  replica: Replica,
  name: string,
  withinMs: number,
  work: (same: SameLsn) => Promise<T>,
): Promise<T> {
  const { store, target } = replica;
  return store.session((locks) =>
    store.session((source) =>
      store.session((marker) =>
        target.session(async (there) => {
          for (const client of [source, there]) await client.query(TEXTS);
          const end = Date.now() + withinMs;
          for (;;) {
            const lsn = await meet(replica, name, { locks, source, marker, replica: there });
            if (lsn !== undefined) return work({ store: source, target: there, lsn });
            await requireSlot(replica, name);
            if (Date.now() > end) throw await tooFarBehind(replica, name, withinMs);
            await delay(PAUSE_MS);
          }
        }),
      ),
    ),
  );
}

interface Clients {
  readonly locks: pg.Client;
  readonly source: pg.Client;
  readonly marker: pg.Client;
  readonly replica: pg.Client;
}

/** The position at which both are seen; nothing when writers or the replica were in the way. */
async function meet(
  { store }: Replica,
  name: string,
  { locks, source, marker, replica }: Clients,
): Promise<string | undefined> {
  // A replica that is far behind does not get there in the time.
  const near = await currentLsn(marker);
  if (!(await arrives(near))) return undefined;
  const tables = (await storeTables(store)).map((table) => `${TABLES}."${table}"`).join(', ');
  try {
    await locks.query('begin');
    await locks.query(`set local lock_timeout = ${LOCK_MS}`);
    await locks.query(`lock table ${tables} in share mode`);
    await source.query(SEES_ONE_MOMENT);
    // The moment is that of the first query.
    await source.query('select pg_current_wal_insert_lsn()');
    const lsn = await currentLsn(marker);
    const met = await arrives(lsn);
    if (met) {
      await replica.query(SEES_ONE_MOMENT);
      await replica.query('select 1');
      return lsn;
    }
    await source.query('rollback');
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== LOCK_NOT_HAD) throw thrown;
    return undefined;
  } finally {
    await locks.query('rollback');
  }

  async function arrives(lsn: string): Promise<boolean> {
    const end = Date.now() + HOLD_MS;
    while (Date.now() < end) {
      if (await hasArrived(store, name, lsn)) return true;
      await delay(LOOK_EVERY_MS);
    }
    return false;
  }
}

async function tooFarBehind({ store, target }: Replica, name: string, withinMs: number): Promise<ReplicaError> {
  const slot = await readSlot(store, name);
  return new ReplicaError(
    'not_caught_up',
    `${target.called} did not catch up with the store within ${withinMs / 1_000} s, so that both could be compared. ` +
      (slot?.active === false ? notRead(target) : `'reeve replica --status' shows the lag. Try again later.`),
  );
}
