import type { ToldWaits, TransitionRecord } from './records.js';

/** What an entity answers when it is asked for what the feed has yet to tell. A6 */
export interface PendingTransitions {
  readonly life: string;
  /** The oldest first; not always all. */
  readonly transitions: readonly TransitionRecord[];
  /** What it waits for, as it has told the store last; absent in a run that has not told it yet. */
  readonly waits?: ToldWaits;
}
