import type { Health } from '../../definition/state.js';
import type { Wait, Stuck } from '../../kernel/index.js';
import type { OperationWait } from '../../operations/explain.js';
import type { OperationError, OperationResult } from '../../operations/status.js';
import type { Failure } from '../../protocol/snapshot.js';
import type { PendingCall } from './execution.js';
import type { LastTask } from './last-task.js';
import type { PendingTask } from './pending-task.js';
import type { StarvedQueue } from './task-queues.js';

/*
 * Describes what an operation or entity waits for, as a tree of plain JSON. All times are milliseconds since 1970. S5.4
 */

/** The part that only the service knows of a workflow. */
interface Served {
  /** Calls of resources that have not been answered. */
  readonly calls: readonly PendingCall[];
  /** The workflow's next task, when it fails again and again or no worker takes it. */
  readonly task?: PendingTask;
  /** The build on which its run began, where no worker serves that any more. */
  readonly unservedBuild?: string;
}

/** An event under way on an entity. */
export interface UnderWay {
  readonly event: string;
  readonly operation: string;
  readonly since: number;
}

/** An entity with all that it waits for. */
export interface ExplainedEntity extends Served {
  readonly kind: 'entity';
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly state: string;
  readonly health: Health;
  /** When it came into its state. */
  readonly since: number;
  /**
   * Tells whether nothing is under way on it, and nothing that has come waits for its turn. An operation may still have to hear of
   * this.
   */
  readonly settled: boolean;
  readonly events: readonly UnderWay[];
  /** Why it is in an error state: its last failure. */
  readonly failure?: Failure;
  /** The operation in which it has settled in an error state without a failure of its own. */
  readonly enteredIn?: string;
  /** The errors of that operation. */
  readonly causes?: readonly OperationError[];
  readonly waits: readonly Wait[];
  /** The entities that it waits for. */
  readonly below: readonly ExplainedNode[];
}

/** An entity that could not be read, with what the service knows of it. */
export interface UnreadEntity extends Served {
  readonly kind: 'unread';
  readonly entity: string;
  /**
   * `no_answer`: no worker has answered. `unborn`: it has not been created yet, and waits for the store. `failed`: its own code
   * fails, as `task` or `message` says. `ended`: somebody has ended its workflow by hand. `limit`: there were more entities
   * than one explanation holds. `hidden`: it does not exist, or the caller may not see it.
   */
  readonly reason: 'absent' | 'no_answer' | 'unborn' | 'failed' | 'ended' | 'unknown_type' | 'limit' | 'hidden';
  readonly message?: string;
  /** When the creation of an `unborn` one was asked for. */
  readonly since?: number;
  /** The state and the operation that it has shown last. */
  readonly state?: string;
  readonly operation?: string;
}

/** An entity that stands elsewhere in the tree. One that waits for itself, directly or through others, closes a circle. */
export interface ShownElsewhere {
  readonly kind: 'elsewhere';
  readonly entity: string;
  readonly cycle: boolean;
}

export type ExplainedNode = ExplainedEntity | UnreadEntity | ShownElsewhere;

/** An operation. Where no worker answers, it has only what the operation has shown to the service. */
export type ExplainedOperation =
  | ({ readonly kind: 'operation'; readonly task?: PendingTask; readonly unservedBuild?: string } & OperationWait)
  | ({ readonly kind: 'ended' } & Pick<OperationResult, 'id' | 'name' | 'outcome' | 'startedAt' | 'endedAt' | 'errors'>)
  | {
      readonly kind: 'unread';
      readonly id: string;
      readonly outcome?: string;
      readonly startedAt: number;
      readonly task?: PendingTask;
      readonly unservedBuild?: string;
    };

/** Why something is stuck; `since` only where a time is known. */
export type SeenStuck = Omit<Stuck, 'since'> & Partial<Pick<Stuck, 'since'>>;

/** An entity or operation that is stuck. */
export interface StuckOne extends SeenStuck {
  /** `LogicalServer/orders`, or `operation <its request id>`. */
  readonly who: string;
}

/** Describes what an entity or an operation waits for, down to its successors, calls and workers. */
export interface Explanation {
  /** Shows when it was put together. */
  readonly at: number;
  /** The operation, where one is explained. */
  readonly operation?: ExplainedOperation;
  /** The entity that is explained, or the entities for which the operation waits. */
  readonly entities: readonly ExplainedNode[];
  /** Which worker has run the explained entity last, and on which build. */
  readonly lastTask?: LastTask;
  /** Task queues with work that no worker takes. */
  readonly starved: readonly StarvedQueue[];
  /** Everything in it that is stuck. Where nothing is, it goes on by itself. */
  readonly stuck: readonly StuckOne[];
}
