import type { LivingRef } from '../protocol/refs.js';
import type { Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';

/** The narrow seam between the workflows, which tell what happens, and the store. */
export interface RecordDriver {
  /** Tells the store soon, without waiting. The records may be lost, so the same ones are confirmed or kept later. */
  offer(records: readonly StoreRecord[]): void;
  /**
   * Asks the store which of these records it lacks, by their names. Gives `undefined` when the store is unavailable. What the store has
   * is kept from then on. Other work of the workflow may have to wait for the answer, unless it is asked `aside`, which costs
   * more.
   */
  confirm(names: RecordNames, aside: boolean): Promise<readonly string[] | undefined>;
  /** Brings records to the store for good. Gives false when the store is unavailable. Durable, like everything asynchronous here. */
  keep(records: readonly StoreRecord[], aside: boolean): Promise<boolean>;
  /**
   * Leaves records to a carrier, a workflow of their own, which goes on for as long as the store is unavailable. When this ends, the
   * carrier has taken them over.
   */
  handOn(records: readonly StoreRecord[]): Promise<void>;
  /**
   * Asks the store which of these requests were accepted on an entity, in any of its lives. `of` names the life that asks, or for
   * which somebody asks. Gives `undefined` when the store is unavailable. Where there is no store, nothing is known.
   */
  recall(of: LivingRef, ids: readonly string[], aside: boolean): Promise<Recollection | undefined>;
  /** The amounts that count as few and as many records, where they are not the usual ones. */
  readonly amounts?: RecordAmounts;
}

/** Numbers of records. */
export interface RecordAmounts {
  /** Up to so many are kept without asking first which the store lacks, since one call is the cheapest. */
  readonly few: number;
  /** From so many on, they are brought at once, even while the entity is busy. */
  readonly many: number;
  /** At most so many names are asked for at a time. */
  readonly asked: number;
  /** When there are more, a carrier takes them over, even if the store is there. */
  readonly most: number;
}
