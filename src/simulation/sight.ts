import type { Answer } from '../protocol/answer.js';
import type { RaiseRequest } from '../protocol/request.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** An observation of a workflow while it runs. Together they show each transition of an entity. */
export type Sight =
  /** An action starts. */
  | { readonly kind: 'started'; readonly action: string; readonly snapshot: Snapshot; readonly properties: string }
  /**
   * The code of an action is over. What it did takes effect right after, or when the entities that it has reserved are sealed.
   */
  | {
      readonly kind: 'ended';
      readonly action: string;
      readonly threw: boolean;
      /** The ids of those that the entity had then: what an action raises and waits for takes effect at once. */
      readonly successors: readonly string[];
    }
  /** A batch of events has its answers: how the entity was when it came, and is now. */
  | ({ readonly kind: 'decided' } & Decided)
  /** A run begins, and has brought the entity to another schema. Q2 */
  | { readonly kind: 'migrated'; readonly before: Snapshot; readonly after: Snapshot }
  /** The code waits: this is how it stands. */
  | { readonly kind: 'rest'; readonly reading: unknown };

/** The outcome of a batch of events. */
export interface Decided {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly requests: readonly RaiseRequest[];
  readonly answers: readonly Answer[];
}
