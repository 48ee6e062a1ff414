import { setTimeout as delay } from 'node:timers/promises';
import type { StoreRecord } from '../../protocol/records.js';
import type { Availability } from './availability.js';
import { OfferQueue, type QueueLimits } from './offer-queue.js';

/** The most records of a batch. */
const BATCH = 4_000;
/** Records that come within this time, in milliseconds, are written together: a batch costs much more than a record. */
const GATHER_MS = 100;

/** Writes offered records in batches, one after the other. It waits while PostgreSQL is unavailable. */
export class Offering {
  readonly #queue: OfferQueue;
  readonly #write: (records: readonly StoreRecord[]) => Promise<void>;
  readonly #availability: Availability;
  #running = Promise.resolve();
  #active = false;
  #written = 0;
  /** Ends the gathering early. */
  #hurry = new AbortController();
  readonly #flushing = new Set<{ readonly upTo: number; readonly done: () => void }>();
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

  /** The number of records that were written. */
  get written(): number {
    return this.#written;
  }

  add(records: readonly StoreRecord[]): void {
    this.#queue.add(records, Date.now());
    if (this.#active) return;
    this.#active = true;
    this.#running = this.#run();
  }

  /** Writes at once what was added until now. Ends when none of it waits any more, or after `withinMs` milliseconds. */
  async flush(withinMs: number): Promise<void> {
    if (!this.#active) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#flushing.delete(flush);
        resolve();
      };
      const flush = { upTo: this.#queue.added, done };
      const timer = setTimeout(done, withinMs);
      this.#flushing.add(flush);
      this.#hurry.abort();
    });
  }

  /** Writes the records that wait, unless PostgreSQL is unavailable. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#gather();
    while (this.#queue.length > 0 && (await this.#writeBatch())) {
      for (const { upTo, done } of this.#flushing) if (this.#queue.gone >= upTo) done();
      if (this.#queue.length < BATCH) await this.#gather();
    }
    for (const { done } of this.#flushing) done();
    this.#active = false;
  }

  async #gather(): Promise<void> {
    if (this.#flushing.size > 0) return;
    this.#hurry = new AbortController();
    await this.#pause(GATHER_MS, this.#hurry.signal);
  }

  /** Writes one batch. Tells whether to go on. */
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

  async #pause(ms: number, hurry?: AbortSignal): Promise<void> {
    const signal = hurry ? AbortSignal.any([hurry, this.#closing.signal]) : this.#closing.signal;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
