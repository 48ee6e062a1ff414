import type { TransitionRecord } from './records.js';

/** What an entity answers when it is asked for transitions that it has yet to bring to the store. A6 */
export interface PendingTransitions {
  readonly life: string;
  /** The oldest first; not always all. */
  readonly transitions: readonly TransitionRecord[];
}
