import type { FollowUp } from '../declaration/implementation.js';
import type { PartitionSet } from '../partitions/partition-set.js';

/** An operation that runs on a target. */
export interface RunningOperation {
  readonly type: string;
  readonly object?: string;
  readonly instance: number;
}

/** Describes why an operation was not started. Nothing of it is left. I8 */
export interface StartRefusal {
  readonly code:
    | 'unknown_operation_type'
    | 'invalid_argument'
    | 'incompatible_operation'
    | 'unknown_target'
    | 'unknown_partition'
    | 'request_conflict'
    | (string & {});
  readonly message: string;
  /** The one that runs and is in the way. I4 */
  readonly running?: RunningOperation;
}

/** Describes the answer to a start: the number of the instance, or why it was refused. */
export type StartAnswer =
  | { readonly kind: 'started'; readonly instance: number }
  | { readonly kind: 'refused'; readonly refusal: StartRefusal };

/** Describes what somebody wants to start. */
export interface StartRequest extends FollowUp {
  /** The same id again gets the first answer. */
  readonly request: string;
  /** Only these partitions; all by default. */
  readonly partitions?: PartitionSet;
  /** At most so many jobs at once. */
  readonly atOnce?: number;
}

/** Describes what one instance is begun with. */
export interface InstanceStart {
  readonly target: string;
  readonly type: string;
  readonly object?: string;
  readonly instance: number;
  readonly argument: unknown;
  readonly partitions?: PartitionSet;
  readonly atOnce?: number;
  /** The request that has started it, and the fingerprint of its content. An instance without tells the store nothing. S5.1 */
  readonly request?: { readonly id: string; readonly content: string };
}

/** All that is known of the operations of one target, as data. I3, I4 */
export interface Coordinator {
  readonly target: string;
  readonly running: readonly RunningOperation[];
  /** The id that the next instance of each type gets. */
  readonly next: Readonly<Record<string, number>>;
  /** By type: the requests that have started something. S2.5 */
  readonly requests: Readonly<Record<string, StartedRequests>>;
  /** Shows what completions wanted to start and was refused: the last ones. Nobody else hears of them. I6 */
  readonly refused: readonly RefusedFollowUp[];
}

/** The requests that have started the instances of a type from a number on. */
export interface StartedRequests {
  /** The number of the instance that the first of them has started. */
  readonly first: number;
  /** 12 characters for each instance, in order. */
  readonly fingerprints: string;
}

/** An operation that a completion wanted to start, and why it was not. */
export interface RefusedFollowUp {
  /** The instance whose completion it was: `buildIndex/3`. */
  readonly by: string;
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

/** Describes what the coordinator of a target is told. */
export type CoordinatorInput =
  | ({ readonly kind: 'start' } & StartRequest)
  /** The operations that run on the target were found out: a coordinator before this one was ended by force. */
  | { readonly kind: 'found'; readonly running: readonly RunningOperation[] }
  /** The number of an instance is that of another one: a coordinator before this one, which was ended by force, has given it. */
  | { readonly kind: 'taken'; readonly type: string; readonly instance: number }
  /** An instance has ended, and this is what its completion starts. */
  | {
      readonly kind: 'ended';
      readonly type: string;
      readonly instance: number;
      readonly starts: readonly FollowUp[];
    };

/** All that a step of the coordinator gives. */
export interface CoordinatorStep {
  readonly coordinator: Coordinator;
  readonly answer?: StartAnswer;
  readonly begins: readonly InstanceStart[];
  /** Of the operations that a completion starts: those that were refused. */
  readonly refused: readonly StartRefusal[];
}

/** Makes the coordinator of a target on which nothing runs. */
export function newCoordinator(target: string): Coordinator {
  return { target, running: [], next: {}, requests: {}, refused: [] };
}
