import { setTimeout as delay } from 'node:timers/promises';
import type { StoreRecord } from '../../protocol/records.js';
import type { Availability } from './availability.js';
import { OfferQueue, type QueueLimits } from './offer-queue.js';

/** Records of a batch, at most. */
const BATCH = 4_000;
/** What comes within this time is written together: a batch costs much more than a record. */
const GATHER_MS = 50;

/** Writes what is offered, in batches, one after the other; waits while PostgreSQL is away. */
export class Offering {
  readonly #queue: OfferQueue;
  readonly #write: (records: readonly StoreRecord[]) => Promise<void>;
  readonly #availability: Availability;
  #running = Promise.resolve();
  #active = false;
  #written = 0;
  readonly #closing = new AbortController();

  constructor(
    limits: QueueLimits,
    availability: Availability,
    write: (records: readonly StoreRecord[]) => Promise<void>,
  ) {
    this.#queue = new OfferQueue(limits);
    this.#availability = availability;
    this.#write = write;
  }

  get queue(): Pick<OfferQueue, 'length' | 'bytes' | 'dropped' | 'lagMs'> {
    return this.#queue;
  }

  /** Records that were written. */
  get written(): number {
    return this.#written;
  }

  add(records: readonly StoreRecord[]): void {
    this.#queue.add(records, Date.now());
    if (this.#active) return;
    this.#active = true;
    this.#running = this.#run();
  }

  /** Writes what waits, unless PostgreSQL is away. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#pause(GATHER_MS);
    while (this.#queue.length > 0 && (await this.#writeBatch())) {
      if (this.#queue.length < BATCH) await this.#pause(GATHER_MS);
    }
    this.#active = false;
  }

  /** Whether to go on. */
  async #writeBatch(): Promise<boolean> {
    const taken = this.#queue.take(BATCH);
    try {
      await this.#write(taken);
      this.#written += taken.length;
      this.#queue.done();
    } catch {
      this.#queue.putBack();
      if (this.#closing.signal.aborted) return false;
      await this.#pause(this.#availability.pauseMs);
    }
    return true;
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
