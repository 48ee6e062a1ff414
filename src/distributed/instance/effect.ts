import type { Completing, FollowUp, LockWait } from '../declaration/implementation.js';
import type { PartitionSet } from '../partitions/partition-set.js';

/** One instance, as those who work for it know it. */
export interface InstanceRef {
  readonly target: string;
  readonly type: string;
  readonly instance: number;
}

/** A job of a lane. */
export interface LaneJob {
  readonly partition: number;
  /** The number of its assignment; left out in its first one. */
  readonly assignment?: number;
  /** That which goes along with it. */
  readonly progress?: unknown;
  /** The lock for which it has waited when its last lane ended. */
  readonly lock?: LockWait;
}

/** Jobs for an executor. */
export interface LaneWork extends InstanceRef {
  readonly place: string;
  /** The number of the lane, which fences: what has a lower one does not count any more. */
  readonly number: number;
  readonly argument: unknown;
  readonly jobs: readonly LaneJob[];
  readonly perSecond?: number;
}

/** Describes what an executor has to clean up. */
export interface CleanWork extends InstanceRef {
  readonly place: string;
  readonly number: number;
  readonly argument: unknown;
  readonly partitions: PartitionSet;
}

/** Describes what an executor has to forget of an instance, and the jobs that have ended well there: what they have made stays. */
export interface TidyWork extends InstanceRef {
  readonly place: string;
  readonly number: number;
  readonly finished: PartitionSet;
}

/** Describes what an instance wants of the world. The same number again is the same call. */
export type InstanceEffect =
  | { readonly kind: 'lane'; readonly number: number; readonly work: LaneWork }
  /** Tells a lane to ask whether it should stop. */
  | { readonly kind: 'stop'; readonly number: number }
  | { readonly kind: 'clean'; readonly number: number; readonly work: CleanWork }
  /** Cleans up whatever an executor still has of the instance, and its records. */
  | { readonly kind: 'tidy'; readonly number: number; readonly work: TidyWork }
  | { readonly kind: 'place'; readonly number: number; readonly target: string }
  | {
      readonly kind: 'complete';
      readonly number: number;
      readonly work: InstanceRef & { readonly argument: unknown; readonly completing: Completing };
    }
  /** Tells the coordinator that the instance has ended. */
  | { readonly kind: 'leave'; readonly number: number; readonly of: InstanceRef; readonly starts: readonly FollowUp[] };
