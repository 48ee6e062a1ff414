import type { ToldWaits, TransitionRecord } from './records.js';

/** The answer of an entity that is asked for what the feed has yet to tell. A6 */
export interface PendingTransitions {
  readonly life: string;
  /** The oldest first; not always all. */
  readonly transitions: readonly TransitionRecord[];
  /** Its waits, as it has told them to the store last; absent in a run that has not told them yet. */
  readonly waits?: ToldWaits;
}
