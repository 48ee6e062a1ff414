import type { InstanceStart } from '../coordinator/coordinator.js';
import type { FollowUp, LockWait } from '../declaration/implementation.js';
import type { PartitionSet } from '../partitions/partition-set.js';
import type { Placement } from '../partitions/placement.js';

/**
 * Describes where an instance is on its way: its jobs run; they are stopped; what they have left is tidied up; its completion runs; it
 * leaves the coordinator; it has ended.
 */
export type InstancePhase = 'running' | 'stopping' | 'tidying' | 'completing' | 'leaving' | 'ended';
/** Describes how an operation over partitions has ended. */
export type InstanceOutcome = 'succeeded' | 'failed' | 'cancelled';

/** Jobs that were given to an executor together. It does one after the other. I1 */
export interface Lane {
  readonly place: string;
  /** All that it was given. */
  readonly given: PartitionSet;
  /** The jobs whose statuses still count: what is taken away from the lane leaves this set. */
  readonly partitions: PartitionSet;
  /** When it was given, in milliseconds since 1970. */
  readonly at: number;
  /** Tells whether it should end as soon as its jobs can be interrupted. */
  readonly pausing?: boolean;
}

/** A call that is under way, beside the lanes. */
export interface PendingCall {
  readonly kind: 'clean' | 'tidy' | 'place' | 'complete' | 'leave';
  readonly place?: string;
  readonly partitions?: PartitionSet;
}

/** A call beside the lanes that has failed and is made again. */
export interface CallRetry extends Pick<PendingCall, 'kind' | 'place'> {
  readonly attempts: number;
  readonly message: string;
  /** When it is made again, in milliseconds since 1970. */
  readonly at: number;
  /** Set where a person has said to go on without it if it fails once more. */
  readonly last?: true;
}

/** The trouble with a job that is tried again. */
export interface JobTrouble {
  readonly attempts: number;
  /** Left out where many jobs are in trouble. */
  readonly message?: string;
  readonly retryAt: number;
}

/**
 * The attempts told so far of a job that has not ended: how many, when the first one began in milliseconds after the start of the instance,
 * how many of them at its place under its assignment, and how many were cut off by the end of an executor. Thousands of them have to fit.
 * S5.1
 */
export type TriedJob = readonly [told: number, sinceMs: number, here: number, restarts: number];

/** One run of an operation on a target, as data. I3 */
export interface Instance {
  readonly start: InstanceStart;
  readonly phase: InstancePhase;
  readonly outcome?: InstanceOutcome;
  /** Shows why it has failed, or was cancelled. */
  readonly reason?: string;
  readonly placement?: Placement;
  /** All of its partitions. */
  readonly partitions: PartitionSet;
  readonly succeeded: PartitionSet;
  /** By place: the jobs that have ended well there, and count. */
  readonly succeededAt: Readonly<Record<string, PartitionSet>>;
  readonly failed: PartitionSet;
  /** The jobs that had ended well and were opened again: what they have made is still there. */
  readonly reopened: PartitionSet;
  /** Shows what jobs have ended with, by partition. */
  readonly results: Readonly<Record<string, unknown>>;
  /** Shows how long these are together, and how many did not fit. */
  readonly resultCharacters: number;
  readonly resultsLeftOut: number;
  /** By place: the unfinished jobs that were given there and may have left something. */
  readonly begun: Readonly<Record<string, PartitionSet>>;
  /** By place: the jobs that were taken away from there and have to be cleaned up before they run elsewhere. */
  readonly owed: Readonly<Record<string, PartitionSet>>;
  /**
   * The jobs that are not in their first assignment, by the number of the call that has ended the one before. A record of an older
   * assignment does not count. I1
   */
  readonly assignments: Readonly<Record<string, PartitionSet>>;
  /** By place: the jobs that people have moved there. */
  readonly moved?: Readonly<Record<string, PartitionSet>>;
  /** How often a failed job was retried by a person, by partition. */
  readonly retried?: Readonly<Record<string, number>>;
  /** The fingerprints of what people have asked of jobs. S2.5 */
  readonly requests?: string;
  /** Every place that was given a job. */
  readonly places: readonly string[];
  /** The lanes under way, by their number. */
  readonly lanes: Readonly<Record<string, Lane>>;
  /** The other calls under way, by their number. */
  readonly calls: Readonly<Record<string, PendingCall>>;
  /** The places that were tidied up. */
  readonly tidied: readonly string[];
  /** Progress that goes with a job wherever it goes, by partition. */
  readonly progress: Readonly<Record<string, unknown>>;
  readonly troubles: Readonly<Record<string, JobTrouble>>;
  /** The locks for which jobs have waited when their last lane ended, with its place, by partition. I5 */
  readonly waits?: Readonly<Record<string, { readonly place: string; readonly lock: LockWait }>>;
  /** The jobs that were begun and have not ended, by partition. */
  readonly tried: Readonly<Record<string, TriedJob>>;
  /** Shows how many attempts were cut off by the end of an executor. */
  readonly restarts: number;
  /** Shows how often its completion has opened jobs again. */
  readonly rounds: number;
  /** Shows since when it is paused, if it is. */
  readonly pausedAt?: number;
  /** Shows how long its pauses have taken that are over, in milliseconds. */
  readonly pausedMs: number;
  /** Is true if no lane begins, since its workflow is about to continue as new. */
  readonly draining?: true;
  readonly atOnce: number;
  readonly perSecond?: number;
  /** The last number that a lane or a call got: each one's is higher than those before it. */
  readonly numbered: number;
  /** The calls that have failed and are made again, by kind and place: one place does not use up the attempts of another one. I5 */
  readonly retries: Readonly<Record<string, CallRetry>>;
  /** Shows when the target is asked again who holds what. */
  readonly lookAt: number;
  readonly starts: readonly FollowUp[];
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly now: number;
}
