import type { EndedJobs, JobChange, JobLedger, JobName, JobRecord } from '../../src/distributed/index.js';
import { parseInstanceName } from '../../src/protocol/distributed-names.js';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.js';
import { isAway, type Sessions } from './sessions.js';
import { instancesOf, partWith, type TablePlaces } from './table-places.js';

/** For how long the address of an instance is believed, in milliseconds: it changes when the instance is started on another port. */
const BELIEVED_MS = 5_000;

interface Known {
  readonly url: string;
  readonly until: number;
  readonly ledger: PostgresLedger;
}

/**
 * The records of the jobs of a data cluster. Each is kept in the instance that has the partition, in the database `postgres`, which is
 * never published: so it goes where the instance goes, and goes when that is dropped. I2
 */
export class ClusterLedger implements JobLedger {
  readonly #cluster: string;
  readonly #places: TablePlaces;
  readonly #sessions: Sessions;
  readonly #ledgers = new Map<string, Known>();

  constructor(cluster: string, places: TablePlaces, sessions: Sessions) {
    this.#cluster = cluster;
    this.#places = places;
    this.#sessions = sessions;
  }

  async open(job: Parameters<JobLedger['open']>[0]): Promise<JobRecord | 'fenced'> {
    // Where the partition has moved, or its table has gone, only a record that was left can be taken over, to clean up.
    const ledger = (await this.#ledgerOf(job)) ?? (await this.#ledgerWith(job));
    return ledger ? ledger.open(job) : 'fenced';
  }

  async write(job: JobName & { readonly number: number }, change: JobChange): Promise<boolean> {
    return (await (await this.#ledgerOf(job))?.write(job, change)) ?? false;
  }

  async records(): Promise<readonly JobRecord[]> {
    const all: JobRecord[] = [];
    for await (const ledger of this.#all()) all.push(...(await ledger.records()));
    return all;
  }

  async removeEnded(jobs: EndedJobs): Promise<void> {
    for await (const ledger of this.#all()) await ledger.removeEnded(jobs);
  }

  async remove(job: JobName & { readonly number: number }): Promise<void> {
    const ledger = (await this.#ledgerOf(job)) ?? (await this.#ledgerWith(job));
    await ledger?.remove(job);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ledgers.values()].map(({ ledger }) => ledger.close()));
  }

  /** The ledger of the instance of this data cluster that has the partition of a job; nothing when none has it any more. */
  async #ledgerOf({ instance, partition }: JobName): Promise<PostgresLedger | undefined> {
    const table = await this.#places.find(parseInstanceName(instance).target);
    const part = table && partWith(table, partition);
    const found = part && instancesOf(part).findLast(({ place }) => place === this.#cluster);
    return found && this.#ledgerIn(found.application);
  }

  async #ledgerWith({ instance, partition }: JobName): Promise<PostgresLedger | undefined> {
    for await (const ledger of this.#all()) {
      const records = await ledger.records();
      if (records.some((record) => record.instance === instance && record.partition === partition)) return ledger;
    }
    return undefined;
  }

  /** Those of all instances of the data cluster that answer. What is in the others is looked at when they are there again. */
  async *#all(): AsyncGenerator<PostgresLedger> {
    for (const application of await this.#sessions.instancesIn(this.#cluster)) {
      try {
        yield await this.#ledgerIn(application);
      } catch (thrown) {
        if (!isAway(thrown)) throw thrown;
      }
    }
  }

  async #ledgerIn(application: string): Promise<PostgresLedger> {
    const known = this.#ledgers.get(application);
    const now = Date.now();
    if (known && now < known.until) return known.ledger;
    const url = await this.#sessions.login(application);
    const isSame = known?.url === url;
    if (known && !isSame) void known.ledger.close().catch(() => undefined);
    const ledger = isSame ? known.ledger : new PostgresLedger(url, application);
    this.#ledgers.set(application, { url, ledger, until: now + BELIEVED_MS });
    return ledger;
  }
}
