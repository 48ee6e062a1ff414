import type { EntityRef } from './names.js';
import type { Dimensions } from './records.js';

/** What starts an operation's workflow. */
export interface OperationStart {
  readonly kind: 'start';
  readonly id: string;
  /** For people: `create LogicalServer/orders`. */
  readonly name: string;
  readonly root: EntityRef & { readonly engagement: string; readonly event: string };
  /** Of its root, as far as they are known by now. */
  readonly dimensions: Dimensions;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How many have started before it on the entity in the same millisecond; none when it was the first. S5.1 */
  readonly startOrder?: number;
  /** Milliseconds after which it is marked as hung while it still runs. S5.3 */
  readonly budgetMs?: number;
}
