import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { copyRunning } from './data-copy.js';
import { HostError } from './host-error.js';
import type { Address, Instances } from './instances.js';
import { madeNow } from './making.js';
import { publish, unpublish, USER_DATABASES } from './publication.js';
import { hasRecovered, recoverUpTo } from './recovery.js';
import { schemaPrint } from './schema-print.js';
import { advanceSequences, readSequences, writeSequences } from './sequences.js';
import { readStandbyRecord, removeStandbyRecord, writeStandbyRecord, type StandbyRecord } from './standby-record.js';
import { subscribe, unsubscribe } from './subscription.js';

const RECOVERS_WITHIN_MS = 60_000;
const CATCHES_UP_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * How a standby is: whether it is fit to take over or has to be made anew, and how many bytes of the log it is behind. Nobody knows
 * the latter while its primary cannot be asked.
 */
export interface StandbyHealth {
  readonly healthy: boolean;
  readonly lagBytes?: number;
}

/**
 * Instances that follow others by logical replication. A standby begins as a copy of its primary, file by file, so that
 * everything is declared in it as in the primary. From the end of the copy on, it is told of every change of rows.
 */
export class Standbys {
  readonly #instances: Instances;

  constructor(instances: Instances) {
    this.#instances = instances;
  }

  async put(name: string, cluster: string, primary: string): Promise<void> {
    if (await this.#isPromoted(name)) return;
    const source = await this.#instances.folder(primary);
    await this.#instances.putFilled(name, cluster, (unfinished) =>
      this.#instances.query(primary, 'postgres', (client) => this.#copy(primary, source, unfinished, client)),
    );
    await this.#follow(name);
  }

  /** Compares a standby with its primary. @throws HostError when it is not a standby */
  async inspect(name: string): Promise<StandbyHealth> {
    const record = await this.#record(name);
    if (!record) throw new HostError(409, 'no_standby', `The instance '${name}' is not a standby.`);
    if (!(await this.#isReachable(record.primary))) return { healthy: true };
    if (!(await this.#isAlike(name, record))) return { healthy: false };
    await this.#follow(name);
    const slots = await this.#slots(record);
    const lost = slots.length < record.databases.length || slots.some(({ lag }) => lag === null);
    return { healthy: !lost, lagBytes: Math.max(0, ...slots.map(({ lag }) => Number(lag))) };
  }

  /**
   * Lets a standby take the place of its primary, which takes no clients from then on. Nothing that was committed is lost, unless
   * losing data is allowed and the primary cannot be asked any more.
   * @throws HostError; the primary goes on then
   */
  async promote(name: string, primary: string, allowDataLoss: boolean): Promise<Address> {
    const record = await this.#record(name);
    if (record) {
      const reachable = await this.#isReachable(primary);
      if (!reachable && !allowDataLoss) {
        const message = `The instance '${primary}' cannot be asked for its last changes. To go on without them, allow the loss of data.`;
        throw new HostError(409, 'primary_unreachable', message);
      }
      if (reachable) await this.#takeOver(name, record);
      else await this.#doWithout(name, record);
      await removeStandbyRecord(await this.#instances.folder(name));
    }
    if (await this.#instances.has(primary)) await this.#instances.fence(primary);
    return { host: '127.0.0.1', port: (await this.#instances.run(name)).port };
  }

  /** Removes what the primary keeps for a standby, if it is one. The instance itself stays. */
  async detach(name: string): Promise<void> {
    const record = (await this.#instances.has(name)) ? await this.#record(name) : undefined;
    if (!record || !(await this.#isReachable(record.primary))) return;
    for (const { name: database } of record.databases) {
      // Without this, the standby would follow again the moment its connection ends.
      await this.#instances.query(name, database, unsubscribe).catch(() => undefined);
    }
    await this.#unpublish(record);
  }

  async #copy(primary: string, source: string, target: string, client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ oid: string; name: string }>(USER_DATABASES);
    const databases = rows.map(({ oid, name }) => ({ name, slot: `reeve_${oid}` }));
    let copiedUpTo = '';
    await copyRunning(source, target, client, async () => {
      for (const { name, slot } of databases) {
        await this.#instances.query(primary, name, (database) => publish(database, slot));
      }
      // Recovery ends before the first record from this place on, so there must be such a record.
      const { rows: places } = await client.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
      copiedUpTo = places[0]!.lsn;
      await client.query(`SELECT pg_logical_emit_message(false, 'reeve', 'end of copy', true)`);
    });
    await recoverUpTo(target, copiedUpTo);
    await writeStandbyRecord(target, { primary, copiedUpTo, databases });
  }

  async #follow(name: string): Promise<void> {
    const record = await this.#record(name);
    if (!record) return;
    await this.#untilRecovered(name);
    const primary = await this.#instances.run(record.primary);
    for (const { name: database, slot } of record.databases) {
      await this.#instances.query(name, database, (client) =>
        subscribe(client, { primary, database, slot }, record.copiedUpTo),
      );
    }
  }

  /** Waits until the standby has recovered what was copied, and is an instance of its own. */
  async #untilRecovered(name: string): Promise<void> {
    await this.#instances.run(name);
    await this.#until(
      RECOVERS_WITHIN_MS,
      'not_recovered',
      `The standby '${name}' does not recover. Look into its log.`,
      () => this.#instances.query(name, 'postgres', hasRecovered),
    );
  }

  async #takeOver(name: string, record: StandbyRecord): Promise<void> {
    const { primary, databases } = record;
    if (!(await this.#isAlike(name, record))) {
      const message = `On '${primary}', tables or the like were changed since '${name}' was copied. Its next inspection copies it anew. Try again after that.`;
      throw new HostError(409, 'standby_stale', message);
    }
    await this.#instances.closeToClients(primary);
    try {
      await this.#untilCaughtUp(name, record);
      for (const { name: database } of databases) {
        const sequences = await this.#instances.query(primary, database, readSequences);
        await this.#instances.query(name, database, (client) => writeSequences(client, sequences));
      }
    } catch (thrown) {
      await this.#instances.release(primary);
      throw thrown;
    }
    await this.#end(name, record);
    await this.#unpublish(record);
  }

  async #doWithout(name: string, record: StandbyRecord): Promise<void> {
    await this.#end(name, record);
    for (const { name: database } of record.databases) {
      await this.#instances.query(name, database, advanceSequences);
    }
  }

  /** Lets the standby follow nobody any more, and removes every trace of that from it. */
  async #end(name: string, { databases }: StandbyRecord): Promise<void> {
    for (const { name: database, slot } of databases) {
      await this.#instances.query(name, database, async (client) => {
        await unsubscribe(client);
        await unpublish(client, slot);
      });
    }
  }

  async #unpublish({ primary, databases }: StandbyRecord): Promise<void> {
    for (const { name: database, slot } of databases) {
      await this.#instances.query(primary, database, (client) => unpublish(client, slot));
    }
  }

  async #untilCaughtUp(name: string, record: StandbyRecord): Promise<void> {
    const { primary } = record;
    const end = await this.#instances.query(primary, 'postgres', async (client) => {
      const { rows } = await client.query<{ lsn: string }>(
        `SELECT pg_logical_emit_message(false, 'reeve', 'end', true)::text AS lsn`,
      );
      return rows[0]!.lsn;
    });
    const message = `The standby '${name}' does not catch up with '${primary}' in ${CATCHES_UP_WITHIN_MS / 1_000} s. Try again later.`;
    await this.#until(CATCHES_UP_WITHIN_MS, 'not_caught_up', message, async () =>
      (await this.#slots(record, end)).every(({ reached }) => reached),
    );
  }

  /** The slots that the primary has for a standby. They say how many bytes each is behind, and whether it has come to a place. */
  async #slots({ primary, databases }: StandbyRecord, place = '0/0') {
    return this.#instances.query(primary, 'postgres', async (client) => {
      const { rows } = await client.query<{ lag: string; reached: boolean }>(
        `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text AS lag, confirmed_flush_lsn >= $2 AS reached
         FROM pg_replication_slots WHERE slot_name = ANY($1) AND wal_status <> 'lost'`,
        [databases.map(({ slot }) => slot), place],
      );
      return rows;
    });
  }

  /**
   * Tells whether the same databases, tables and roles are declared in the standby and in its primary, but for what an operation is making:
   * it sees to it that both have that in the end.
   */
  async #isAlike(name: string, { primary, databases }: StandbyRecord): Promise<boolean> {
    const there = await this.#instances.query(primary, 'postgres', (client) => client.query(USER_DATABASES));
    if (there.rowCount !== databases.length) return false;
    for (const { name: database } of databases) {
      if (!there.rows.some((row: { readonly name: string }) => row.name === database)) return false;
      const made = await this.#instances.query(primary, 'postgres', (client) => madeNow(client, database));
      const print = (client: pg.Client) => schemaPrint(client, made);
      const prints = await Promise.all([
        this.#instances.query(primary, database, print),
        this.#instances.query(name, database, print),
      ]);
      if (prints[0] !== prints[1]) return false;
    }
    return true;
  }

  async #isReachable(primary: string): Promise<boolean> {
    if (!(await this.#instances.has(primary))) return false;
    return this.#instances
      .query(primary, 'postgres', (client) => client.query('SELECT'))
      .then(
        () => true,
        () => false,
      );
  }

  async #isPromoted(name: string): Promise<boolean> {
    return (await this.#instances.has(name)) && !(await this.#record(name));
  }

  async #record(name: string): Promise<StandbyRecord | undefined> {
    return readStandbyRecord(await this.#instances.folder(name));
  }

  async #until(withinMs: number, code: string, message: string, check: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + withinMs;
    while (!(await check())) {
      if (Date.now() > end) throw new HostError(503, code, message);
      await delay(LOOK_EVERY_MS);
    }
  }
}
