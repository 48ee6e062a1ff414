import type { StoreRecord } from '../../protocol/records.js';

interface Waiting {
  readonly record: StoreRecord;
  readonly bytes: number;
  readonly since: number;
}

export interface QueueLimits {
  readonly records: number;
  /** Of the records as JSON. */
  readonly bytes: number;
}

/** Records that wait to be written. When there are too many, the oldest are dropped: they are brought again. */
export class OfferQueue {
  #waiting: Waiting[] = [];
  /** Those before it are gone. */
  #head = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(readonly limits: QueueLimits) {}

  get length(): number {
    return this.#waiting.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** How long the oldest has waited. */
  lagMs(now: number): number {
    const oldest = this.#waiting[this.#head];
    return oldest ? now - oldest.since : 0;
  }

  add(records: readonly StoreRecord[], now: number): void {
    for (const record of records) {
      const bytes = JSON.stringify(record).length;
      this.#waiting.push({ record, bytes, since: now });
      this.#bytes += bytes;
    }
    this.#fit();
  }

  take(records: number): readonly Waiting[] {
    const taken = this.#waiting.slice(this.#head, this.#head + records);
    for (const { bytes } of taken) this.#bytes -= bytes;
    this.#head += taken.length;
    this.#forget();
    return taken;
  }

  /** What could not be written is the oldest again. */
  putBack(taken: readonly Waiting[]): void {
    this.#waiting = [...taken, ...this.#waiting.slice(this.#head)];
    this.#head = 0;
    for (const { bytes } of taken) this.#bytes += bytes;
    this.#fit();
  }

  #fit(): void {
    while (this.length > this.limits.records || (this.#bytes > this.limits.bytes && this.length > 0)) {
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
