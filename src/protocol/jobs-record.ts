/*
 * The report of an instance of a distributed operation on its jobs: all of one answer together, so that thousands of jobs cost
 * little. `rowsOfJobs` makes of it the events and transitions that the store has of entities. S5.1, S5.2
 */
import type { ErrorRecord } from './error-record.js';

/** How an attempt has left a job: ended, or waiting for its next attempt. */
export type JobState = 'succeeded' | 'failed' | 'waiting' | 'cancelled';

/** One attempt of a job. What is usual is left out. */
export interface ToldJob {
  readonly partition: number;
  /** When the attempt began, in milliseconds after the start of the instance, and how long it took. */
  readonly startedAt: number;
  readonly took: number;
  /** The number of the attempt, from 1. Default 1. */
  readonly version?: number;
  /** When the first attempt began. Default: this one. */
  readonly since?: number;
  /** How many attempts just before this one were cut off, and are told only now. Default 0. */
  readonly cutOff?: number;
  /** How many were cut off in all. Default 0. */
  readonly restarts?: number;
  /** How often a person has retried the job after it had failed. Default 0. */
  readonly round?: number;
  /** Default `succeeded`. */
  readonly end?: JobState;
  /** How the attempt has ended. Default `success`. */
  readonly outcome?: 'success' | 'error' | 'failed' | 'aborted';
  /** Why it has not ended well; of one that has, the last error of those before it. */
  readonly error?: ErrorRecord;
}

/** A job that ends unfinished, with its operation. */
export interface CancelledJob {
  readonly partition: number;
  readonly version: number;
  readonly since: number;
  readonly restarts?: number;
  readonly round?: number;
}

/** Some jobs of an instance. */
export interface JobsRecord {
  readonly kind: 'jobs';
  /** Unique in the instance: the number of the lane that has answered, or `end`. */
  readonly id: string;
  /** The life of the instance. */
  readonly life: string;
  /** The request id of its operation. */
  readonly operation: string;
  readonly target: string;
  readonly type: string;
  readonly instance: number;
  /** How often jobs were opened again before. Default 0. */
  readonly round?: number;
  /** When the instance was started, and when this was told, in milliseconds since 1970. */
  readonly from: number;
  readonly at: number;
  readonly place: string;
  readonly jobs: readonly ToldJob[];
  readonly cancelled?: readonly CancelledJob[];
}
