import type { StoreRecord } from '../protocol/records.js';

/** The narrow seam between what happens and the store. */
export interface RecordDriver {
  /** Tells the store soon and without waiting. It may be lost, so the same records are kept later. */
  offer(records: readonly StoreRecord[]): void;
  /**
   * Brings records to the store for good: false when it is away. Durable, like everything asynchronous. What goes on meanwhile
   * may have to wait for it, unless it is brought `aside`, which costs more.
   */
  keep(records: readonly StoreRecord[], aside: boolean): Promise<boolean>;
  /**
   * Leaves records to a carrier of their own, which goes on for as long as the store is away. It takes them over before this
   * ends.
   */
  handOn(records: readonly StoreRecord[]): Promise<void>;
}
