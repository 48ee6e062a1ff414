import type { EntityRef } from './names.js';
import type { Dimensions } from './records.js';

/** The input that starts an operation's workflow. */
export interface OperationStart {
  readonly kind: 'start';
  readonly id: string;
  /** The name for people: `create LogicalServer/orders`. */
  readonly name: string;
  readonly root: EntityRef & { readonly engagement: string; readonly event: string };
  /** The dimensions of its root, as far as they are known yet. */
  readonly dimensions: Dimensions;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How many operations have started before it on the entity in the same millisecond; none when it was the first. S5.1 */
  readonly startOrder?: number;
  /** After how many milliseconds it is marked as hung if it still runs. S5.3 */
  readonly budgetMs?: number;
}

/**
 * The memo of an operation's workflow: when it began, in milliseconds since 1970. Lists show it, since Temporal lists the start of the
 * latest run only. S5.2
 */
export const BEGUN_MEMO = 'reeve_begun';
