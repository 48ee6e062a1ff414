import type { StoreRecord } from '../../protocol/records.js';
import { sizeOf } from './record-size.js';

interface Waiting {
  readonly record: StoreRecord;
  readonly bytes: number;
  readonly since: number;
}

export interface QueueLimits {
  readonly records: number;
  /** The approximate size of the records as JSON. */
  readonly bytes: number;
}

/** Records that wait to be written. When there are too many, the oldest are dropped. Their entities bring them again. */
export class OfferQueue {
  #waiting: Waiting[] = [];
  /** The index of the first record that still waits. */
  #head = 0;
  #taken: readonly Waiting[] = [];
  #bytes = 0;
  #added = 0;
  #dropped = 0;

  constructor(readonly limits: QueueLimits) {}

  /** The number of records that wait, including those that are being written. */
  get length(): number {
    return this.#waiting.length - this.#head + this.#taken.length;
  }

  /** The number of records that were ever added. */
  get added(): number {
    return this.#added;
  }

  /** The number of records that were added and do not wait any more. */
  get gone(): number {
    return this.#added - this.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** How long the oldest record has waited, in milliseconds. */
  lagMs(now: number): number {
    const oldest = this.#taken[0] ?? this.#waiting[this.#head];
    return oldest ? now - oldest.since : 0;
  }

  add(records: readonly StoreRecord[], now: number): void {
    for (const record of records) {
      const bytes = sizeOf(record);
      this.#waiting.push({ record, bytes, since: now });
      this.#bytes += bytes;
    }
    this.#added += records.length;
    this.#fit();
  }

  /** Takes the oldest records, to write them. The caller then calls `done` or `putBack`. */
  take(records: number): readonly StoreRecord[] {
    this.#taken = this.#waiting.slice(this.#head, this.#head + records);
    this.#head += this.#taken.length;
    this.#forget();
    return this.#taken.map(({ record }) => record);
  }

  /** Notes that the taken records are written. */
  done(): void {
    for (const { bytes } of this.#taken) this.#bytes -= bytes;
    this.#taken = [];
  }

  /** Puts the taken records back as the oldest, since they could not be written. */
  putBack(): void {
    this.#waiting = [...this.#taken, ...this.#waiting.slice(this.#head)];
    this.#head = 0;
    this.#taken = [];
    this.#fit();
  }

  /** Drops records until the rest fits the limits. Those that are being written are not dropped. */
  #fit(): void {
    const { records, bytes } = this.limits;
    while (this.#head < this.#waiting.length && (this.length > records || this.#bytes > bytes)) {
      this.#bytes -= this.#waiting[this.#head]?.bytes ?? 0;
      this.#head++;
      this.#dropped++;
    }
    this.#forget();
  }

  #forget(): void {
    if (this.#head < 1_000 || this.#head * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}
