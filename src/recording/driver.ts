import type { LivingRef } from '../protocol/refs.js';
import type { Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';

/** The narrow seam between what happens and the store. */
export interface RecordDriver {
  /** Tells the store soon and without waiting. It may be lost, so the same records are confirmed or kept later. */
  offer(records: readonly StoreRecord[]): void;
  /**
   * Asks the store which of these it lacks, by their names; none when it is away. What it has is kept from then on. What
   * goes on meanwhile may have to wait for it, unless it is asked `aside`, which costs more.
   */
  confirm(names: RecordNames, aside: boolean): Promise<readonly string[] | undefined>;
  /** Brings records to the store for good: false when it is away. Durable, like everything asynchronous. */
  keep(records: readonly StoreRecord[], aside: boolean): Promise<boolean>;
  /**
   * Leaves records to a carrier of their own, which goes on for as long as the store is away. It takes them over before this
   * ends.
   */
  handOn(records: readonly StoreRecord[]): Promise<void>;
  /**
   * Asks the store which of these requests have been accepted on an entity, in any of its lives; `of` names the one that asks,
   * or would. None when it is away. Where there is no store, nothing is known.
   */
  recall(of: LivingRef, ids: readonly string[], aside: boolean): Promise<Recollection | undefined>;
  /** What counts as few and as many records here, unless it is as usual. */
  readonly amounts?: RecordAmounts;
}

/** Numbers of records. */
export interface RecordAmounts {
  /** Up to so many are kept without asking which the store lacks: one call is the cheapest. */
  readonly few: number;
  /** So many are brought without waiting for a rest. */
  readonly many: number;
  /** The names of so many are asked for at a time. */
  readonly asked: number;
  /** With more, a carrier takes them over, though the store is there. */
  readonly most: number;
}
