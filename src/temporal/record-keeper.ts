import type { LivingRef } from '../protocol/refs.js';
import type { Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';

/** Which of these requests have been accepted on an entity, in this life (or the one that would be) or another one? */
export interface RequestQuestion {
  readonly of: LivingRef;
  readonly ids: readonly string[];
}

/** Where a worker brings what its entities and operations have to tell the store. */
export interface RecordKeeper {
  /**
   * Takes records as they happen, to be written soon: they may be lost, and may even tell of what a lost workflow task had
   * decided and nobody ever saw. Never waits and never throws.
   */
  offer(records: readonly StoreRecord[]): void;
  /**
   * The names of the records that are not there; what was offered until now is written first. The others are kept from now on,
   * as if they had been brought.
   * @throws when the store is away; then it is asked again later
   */
  confirm(names: RecordNames): Promise<readonly string[]>;
  /**
   * Writes records for good, before it returns. They are what really happened: of an entity's life, what was only offered
   * and is neither kept nor newer than these is deleted.
   * @throws when the store is away; then they are brought again later
   */
  keep(records: readonly StoreRecord[]): Promise<void>;
  /**
   * What is known for good of requests. S2.5
   * @throws when the store is away; then whoever asks is told to try again
   */
  recall(question: RequestQuestion): Promise<Recollection>;
}
