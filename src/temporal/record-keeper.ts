import type { LivingRef } from '../protocol/refs.js';
import type { Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord, ToldWaits, TransitionRecord } from '../protocol/records.js';
import type { Resumption } from '../protocol/resumption.js';

/**
 * A question to the store: which of these requests have been accepted on an entity, in this life (or the one about to begin) or
 * another one?
 */
export interface RequestQuestion {
  readonly of: LivingRef;
  readonly ids: readonly string[];
}

/** All that has happened for certain. */
export interface Certain {
  readonly transitions: readonly TransitionRecord[];
  readonly waits: readonly ToldWaits[];
}

/** The feed of the store, which tells listeners what has happened for good. A6 */
export interface Feed {
  /** Tells whether anybody listens, or did so a moment ago. @throws when the store is unavailable */
  isWanted(): Promise<boolean>;
  /** Feeds what has happened for certain. @throws when the store is unavailable */
  append(certain: Certain): Promise<void>;
}

/** The store, as a worker brings it the records of its entities and operations. */
export interface RecordKeeper {
  /**
   * Takes records as they happen, to be written soon. They may be lost, and may even tell of decisions of a lost task, which
   * never happened. Never waits and never throws.
   */
  offer(records: readonly StoreRecord[]): void;
  /** Hears that an entity goes on in this process. It counts where the process before has died. Never waits and never throws. S5.1 */
  resume(resumption: Resumption): void;
  /**
   * The names of the records that the store lacks, after what was offered until now has been written. The others are kept from
   * now on, as if they had been brought.
   * @throws when the store is unavailable; then it is asked again later
   */
  confirm(names: RecordNames): Promise<readonly string[]>;
  /**
   * Writes records for good, before it returns. They are what really happened: records of the same life that were only offered,
   * and are neither kept nor newer than these, are deleted.
   * @throws when the store is unavailable; then they are brought again later
   */
  keep(records: readonly StoreRecord[]): Promise<void>;
  /**
   * Returns what the store knows for good of requests. S2.5
   * @throws when the store is unavailable; then the caller is told to try again
   */
  recall(question: RequestQuestion): Promise<Recollection>;
  /** The feed, where there is one. */
  readonly feed?: Feed;
}
