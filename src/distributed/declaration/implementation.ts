import type { z } from 'zod';
import { natureOf } from '../../definition/values/nature.js';
import { decode } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { PartitionSet } from '../partitions/partition-set.js';
import type { AnyDistributedOperation, JobProgress } from './distributed-operation.js';

/** One partition of one target, at the place of the executor of its job. */
export interface PartitionAt {
  readonly target: string;
  readonly partition: number;
  readonly place: string;
}

/** Describes what the running of a job has come to. Only its context makes one. */
export type JobEnd =
  /** The job has ended well. Its result has at most 2,000 characters of JSON: what is larger is kept where the job runs. I8 */
  | { readonly kind: 'complete'; readonly result?: unknown }
  /** The job has failed for good, which fails the operation. I5 */
  | { readonly kind: 'failed'; readonly message: string; readonly details?: unknown }
  /** Something is in the way that is nobody's mistake: the job is tried again after a while, and others go first. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly why: string }
  /** The job goes on with its progress in the next lane. */
  | { readonly kind: 'goOn' };

/** Informs a job that has to stop at once. */
export interface StopSignal {
  readonly stopped: boolean;
  /** Calls the listener once: when it has to stop, or now when it has to already. */
  onStop(listener: () => void): void;
}

/** Describes a lock of others for which a job waits. */
export interface JobLock {
  /** Says in a sentence for people which thing is locked, and by which other one. */
  readonly message: string;
  /** The processes that hold it, such as backends of PostgreSQL. */
  readonly pids?: readonly number[];
}

/** The same, with the time since when the job waits, in milliseconds since 1970. */
export interface LockWait extends JobLock {
  readonly since: number;
}

/** Describes what a running job has of the world. I8 */
export interface JobContext<Progress = JobProgress> {
  /** Names the instance: the same in all jobs and attempts of it. */
  readonly instance: string;
  /** The progress that was kept, when the job is resumed. I2 */
  readonly resumed: Progress | undefined;
  /** For a statement under way: to be cancelled when this stops. */
  readonly stop: StopSignal;
  /** Shows how many rows, or what the job counts, it may do in a second. */
  readonly perSecond: number | undefined;
  /** Is true if the lane wants to end, so that a long job should return `goOn()` when it can. */
  readonly timeIsUp: boolean;
  /**
   * Notes how far the job is.
   * @throws JobStopped when it has to stop: let it pass
   * @throws TypeError where the declared schema does not take it
   */
  progress(progress: Progress): Promise<void>;
  /**
   * Shows for which lock the job waits; without one, that it waits no more. Neither its next progress nor `goOn()` ends the wait: it is as old
   * as it was in the next lane.
   */
  waitsForLock(lock?: JobLock): void;
  complete(result?: unknown): JobEnd;
  /** Fails the operation, where the type says that its jobs can fail; otherwise it is an attempt, and the next one follows. I5 */
  fail(message: string, details?: unknown): JobEnd;
  later(afterMs: number, why: string): JobEnd;
  goOn(): JobEnd;
}

/** Describes how an operation has ended, for its completion. I6 */
export interface Completing {
  readonly instance: string;
  /** Is true if all jobs have ended well. */
  readonly success: boolean;
  readonly outcome: 'succeeded' | 'failed' | 'cancelled';
  readonly partitions: PartitionSet;
  /** The partitions whose jobs have ended well at least once, and made something; the jobs of the others were cleaned up. */
  readonly succeeded: PartitionSet;
  /** Shows what each job has completed or failed with, where it has said something. */
  readonly results: Readonly<Record<string, unknown>>;
  /** Shows how many results were left out, since all together are at most 400,000 characters of JSON. */
  readonly resultsLeftOut: number;
}

/** An operation that the completion of another one starts. I6 */
export interface FollowUp {
  readonly type: string;
  readonly argument: unknown;
}

/** Describes what the completion of an operation gives. It runs at least once; what it gives takes effect once. I6 */
export interface CompletionResult {
  readonly starts?: readonly FollowUp[];
  /** Partitions whose jobs have to run again, since what they did is not where it has to be any more. */
  readonly reopen?: PartitionSet;
  /** Shows why the operation has failed: after all, or in better words than those of its first failed job. */
  readonly failed?: string;
}

/** Describes what the target says to a start: why it cannot be, or nothing. */
export type StartProblem = { readonly code: string; readonly message: string } | undefined;

/** The code of a type: all of it may run again after it was cut short. I8 */
export interface OperationLogic<Argument = unknown, Context = JobContext<never>> {
  /** Looks, before anything starts, whether the operation could do its work at all: an unknown column, a name that is taken. */
  check?(target: string, argument: Argument, instance: string): Promise<StartProblem>;
  /** The job of one partition, started or resumed. */
  job(at: PartitionAt, argument: Argument, context: Context): Promise<JobEnd>;
  /** Undoes what an unfinished job has left where it ran: after a failure, a cancel, a move. */
  cleanUp(at: PartitionAt, argument: Argument, instance: string): Promise<void>;
  /** Ends the operation: also what is left of finished jobs where it has not succeeded. */
  complete(target: string, argument: Argument, completing: Completing): Promise<CompletionResult | void>;
}

/** A type with its code, for the executor of its jobs. */
export interface DistributedOperationLogic {
  readonly operation: AnyDistributedOperation;
  readonly logic: OperationLogic<never, never>;
}

/** Gives a type its code. I8 */
export function implementDistributedOperation<
  Operation extends AnyDistributedOperation,
  Argument = z.output<Operation['argument']>,
  Progress = z.output<Operation['progress']['schema']>,
>(operation: Operation, logic: OperationLogic<Argument, JobContext<Progress>>): DistributedOperationLogic {
  return { operation, logic: natureOf(operation.argument).codec ? decoding(operation, logic) : logic };
}

/** The same code, which sees the argument as its codecs decode it. */
function decoding<Argument, Context>(
  operation: AnyDistributedOperation,
  logic: OperationLogic<Argument, Context>,
): OperationLogic<Argument, Context> {
  const seen = (argument: unknown): Argument => {
    const decoded = decode(operation.argument, argument, 'argument');
    if (decoded.valid) return decoded.value as Argument;
    throw new TypeError(`'${operation.type}' cannot read its argument: ${describeIssues(decoded.issues)}.`);
  };
  return {
    ...(logic.check && { check: async (target, argument, instance) => logic.check!(target, seen(argument), instance) }),
    job: async (at, argument, context) => logic.job(at, seen(argument), context),
    cleanUp: async (at, argument, instance) => logic.cleanUp(at, seen(argument), instance),
    complete: async (target, argument, completing) => logic.complete(target, seen(argument), completing),
  };
}
