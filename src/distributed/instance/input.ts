import type { CompletionResult, LockWait } from '../declaration/implementation.js';
import type { PartitionSet } from '../partitions/partition-set.js';
import type { Placement } from '../partitions/placement.js';
import type { JobRequest } from './job-requests.js';

/**
 * A job that was begun in a lane, or was found to have ended before: its partition, and how often it was begun at the place under its
 * assignment: 0 where what it had left before could not be cleaned up. Where it was begun in this lane, also when, in milliseconds after
 * the lane began, and for how long.
 */
export type RanJob = readonly [partition: number, attempts: number, beganAfterMs?: number, tookMs?: number];

/** Describes what a lane has come to. Jobs that it does not name were not begun. */
export interface LaneResult {
  readonly succeeded: PartitionSet;
  /** Shows what jobs have completed with, by partition. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly failed?: readonly { readonly partition: number; readonly message: string; readonly details?: unknown }[];
  /** Shows when the lane began by the clock of its place, in milliseconds since 1970, and what it has run. S5.1 */
  readonly ran?: { readonly from: number; readonly jobs: readonly RanJob[] };
  /** Jobs that go on later, with what is in their way. */
  readonly later?: readonly {
    readonly partition: number;
    readonly afterMs?: number;
    /** Tells whether it was an error: then it counts as an attempt. */
    readonly error?: boolean;
    /** Tells whether the job was told to stop. */
    readonly stopped?: boolean;
    readonly message?: string;
    readonly progress?: unknown;
    /** The lock for which it still waits. */
    readonly lock?: LockWait;
  }[];
}

/** Describes what a call has come to. */
export type CallOutcome =
  | { readonly kind: 'lane'; readonly result: LaneResult }
  | { readonly kind: 'done' }
  | { readonly kind: 'placement'; readonly placement: Placement | undefined }
  | { readonly kind: 'completed'; readonly result: CompletionResult }
  /** It has failed, and is tried again. */
  | { readonly kind: 'error'; readonly message: string }
  /** Nobody has answered: its executor has died, or does not live where it is awaited. */
  | {
      readonly kind: 'lost';
      /** Of a lane: the job that its executor said last that it is at. */
      readonly atHand?: number;
    };

type Timed<T> = T & {
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Describes what an instance takes, one after the other. */
export type InstanceInput = Timed<
  /** It begins, or goes on where it was handed over. */
  | { readonly kind: 'begin' }
  /** The answer to a call, by its number. */
  | { readonly kind: 'answer'; readonly number: number; readonly outcome: CallOutcome }
  /** The target has changed: it should be asked. */
  | { readonly kind: 'look' }
  /** No lane should begin until it begins again: whoever runs the instance hands it over. */
  | { readonly kind: 'drain' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'limit'; readonly atOnce?: number; readonly perSecond?: number }
  | { readonly kind: 'cancel'; readonly reason?: string }
  /** It should go on without the clean-ups that fail. */
  | { readonly kind: 'proceed' }
  /** A person wants another attempt of one job, or another place for it. */
  | JobRequest
  /** Time has passed. */
  | { readonly kind: 'due' }
>;
