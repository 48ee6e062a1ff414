/*
 * The report of jobs and their attempts to the store. S5.1
 *
 * telling.1. Each attempt is told once, with a number that grows by one for each job. A job is told as ended once.
 * telling.2. An attempt that was cut off by the end of its executor is told when the next lane at its place tells how often the job was
 *     begun there; and, as far as its executor had said that it was at the job, when the lane is lost.
 * telling.3. What a lane says of a job that was taken away from it is an attempt that was aborted, and no end of the job. I1
 * telling.4. An attempt lies between the time at which its lane was given and that of its answer, whatever the clocks of executors say.
 * telling.5. A failed job that a person retries has ended. What follows is told of another job of the partition, from its first attempt on.
 */
import type { ErrorRecord } from '../../protocol/error-record.js';
import type { CancelledJob, ToldJob } from '../../protocol/jobs-record.js';
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import { has, membersOf, partitionSet, union, type PartitionSet } from '../partitions/partition-set.js';
import type { CallOutcome, InstanceInput, LaneResult, RanJob } from './input.js';
import type { Instance, Lane, TriedJob } from './instance.js';

/** The report of one step. */
export interface JobsTold {
  /** The number of the lane, or `end`. */
  readonly id: string;
  readonly place: string;
  readonly jobs: readonly ToldJob[];
  /** The jobs that were begun, and did not end before the operation had ended. */
  readonly cancelled: readonly CancelledJob[];
}

const NEVER: TriedJob = [0, 0, 0, 0];

/** Gives the report of a step; nothing where nothing was attempted. */
export function toldBy(
  operation: AnyDistributedOperation,
  before: Instance,
  after: Instance,
  input: InstanceInput,
): JobsTold | undefined {
  if (after.phase === 'ended' && before.phase !== 'ended') {
    const cancelled = Object.entries(before.tried).map(([partition, [version, since, , restarts]]) => ({
      ...{ partition: Number(partition), version, since },
      ...(restarts > 0 && { restarts }),
      ...roundOf(before, Number(partition)),
    }));
    return cancelled.length === 0 ? undefined : { id: 'end', place: '', jobs: [], cancelled };
  }
  const lane = input.kind === 'answer' ? before.lanes[input.number] : undefined;
  if (input.kind !== 'answer' || !lane) return undefined;
  const timed = { ...before, now: Math.max(before.now, input.at) };
  const { jobs } = laneTold(operation, timed, `${input.number}`, input.outcome);
  return jobs.length === 0 ? undefined : { id: `${input.number}`, place: lane.place, jobs, cancelled: [] };
}

/** Gives the report of a lane that has ended, and all that was told so far of jobs that have not ended. */
export function laneTold(
  operation: AnyDistributedOperation,
  instance: Instance,
  number: string,
  outcome: CallOutcome,
): { readonly jobs: readonly ToldJob[]; readonly tried: Instance['tried']; readonly restarts: number } {
  const lane = instance.lanes[number];
  const tried: Record<string, TriedJob> = { ...instance.tried };
  if (!lane) return { jobs: [], tried, restarts: 0 };
  const ended =
    outcome.kind === 'lane' ? laneJobs(operation, instance, lane, outcome.result) : lostJobs(instance, lane, outcome);
  for (const { partition, version, since, end, restarts } of ended.map(({ job }) => withDefaults(job)))
    if (end === 'waiting') tried[partition] = [version, since, tried[partition]?.[2] ?? 0, restarts];
    else delete tried[partition];
  let restarts = 0;
  for (const { job, here, cutOff } of ended) {
    restarts += cutOff;
    const known = tried[job.partition];
    if (known) tried[job.partition] = [known[0], known[1], here, known[3]];
  }
  return { jobs: ended.map(({ job }) => job), tried, restarts };
}

/** The attempts at a place do not count any more at the next one. assignments.1 */
export function notHere(tried: Instance['tried'], partitions: PartitionSet): Instance['tried'] {
  const left = membersOf(partitions).flatMap((partition) => {
    const known = tried[partition];
    return known ? [[partition, [known[0], known[1], 0, known[3]] as const] as const] : [];
  });
  return { ...tried, ...Object.fromEntries(left) };
}

interface Told {
  readonly job: ToldJob;
  /** How many attempts at the place are told by now. */
  readonly here: number;
  readonly cutOff: number;
}

function laneJobs(
  operation: AnyDistributedOperation,
  instance: Instance,
  lane: Lane,
  result: LaneResult,
): readonly Told[] {
  const { from, jobs } = result.ran ?? withoutTimes(instance, lane, result);
  return jobs.map((ran): Told => {
    const [partition, attempts, afterMs, tookMs = 0] = ran;
    const [told, since, before, restarts] = instance.tried[partition] ?? NEVER;
    // A record has told it, where it was taken for lost.
    const isKnown = afterMs === undefined && attempts <= before;
    const cutOff = Math.max(attempts - before - 1, 0);
    const version = isKnown ? told : told + cutOff + 1;
    const within = (time: number) => Math.min(Math.max(time, lane.at), instance.now) - instance.startedAt;
    const startedAt = within(afterMs === undefined ? lane.at : from + afterMs);
    const took = within(startedAt + instance.startedAt + tookMs) - startedAt;
    const first = told === 0 ? startedAt : since;
    const job: ToldJob = {
      ...{ partition, startedAt, took },
      ...(version > 1 && { version }),
      ...(first !== startedAt && { since: first }),
      ...(cutOff > 0 && { cutOff }),
      ...(restarts + cutOff > 0 && { restarts: restarts + cutOff }),
      ...roundOf(instance, partition),
      ...endOf(operation, instance, lane, result, partition),
    };
    return { job, here: attempts === 0 ? before : attempts, cutOff };
  });
}

/** telling.5 */
function roundOf({ retried }: Instance, partition: number): Pick<ToldJob, 'round'> {
  const round = retried?.[partition];
  return round === undefined ? {} : { round };
}

/** telling.2 */
function lostJobs(instance: Instance, lane: Lane, outcome: CallOutcome): readonly Told[] {
  const partition = outcome.kind === 'lost' ? outcome.atHand : undefined;
  if (partition === undefined || !has(lane.given, partition)) return [];
  const [told, since, here, restarts] = instance.tried[partition] ?? NEVER;
  const startedAt = Math.max(lane.at - instance.startedAt, 0);
  const job: ToldJob = {
    ...{ partition, startedAt, took: Math.max(instance.now - lane.at, 0) },
    ...(told > 0 && { version: told + 1, since }),
    ...roundOf(instance, partition),
    ...{ restarts: restarts + 1, end: 'waiting', outcome: 'aborted', error: LOST },
  };
  return [{ job, here: here + 1, cutOff: 1 }];
}

/** An executor of an older build tells no times. */
function withoutTimes(instance: Instance, lane: Lane, { succeeded, failed = [], later = [] }: LaneResult) {
  const named = partitionSet([...failed, ...later].map(({ partition }) => partition));
  const jobs = membersOf(union(succeeded, named)).map((partition): RanJob => [
    partition,
    (instance.tried[partition] ?? NEVER)[2] + 1,
    0,
    instance.now - lane.at,
  ]);
  return { from: lane.at, jobs };
}

type Ending = Pick<ToldJob, 'end' | 'outcome' | 'error'>;

function endOf(
  { canFail }: AnyDistributedOperation,
  { troubles }: Instance,
  { partitions }: Lane,
  { succeeded, failed = [], later = [] }: LaneResult,
  partition: number,
): Ending {
  if (!has(partitions, partition)) return { end: 'waiting', outcome: 'aborted', error: MOVED };
  if (has(succeeded, partition)) {
    const trouble = troubles[partition];
    return trouble && trouble.attempts > 0 ? { error: attemptFailed(trouble.message) } : {};
  }
  const failure = failed.find((each) => each.partition === partition);
  if (failure)
    return canFail
      ? { end: 'failed', outcome: 'error', error: jobFailed(failure.message) }
      : { end: 'waiting', outcome: 'failed', error: attemptFailed(failure.message) };
  const why = later.find((each) => each.partition === partition);
  if (why?.error) return { end: 'waiting', outcome: 'failed', error: attemptFailed(why.message) };
  return why?.stopped ? { end: 'waiting', outcome: 'aborted' } : { end: 'waiting' };
}

const LOST: ErrorRecord = { kind: 'retryable', code: 'executor_lost', message: 'The executor of the place has died.' };
const MOVED: ErrorRecord = { kind: 'retryable', code: 'moved', message: 'The partition has moved to another place.' };

/** The error of a job that has failed for good. */
export function jobFailed(message: string): ErrorRecord {
  return { kind: 'needs_operator', code: 'job_failed', message };
}

function attemptFailed(message = 'The attempt has failed.'): ErrorRecord {
  return { kind: 'retryable', code: 'attempt_failed', message };
}

function withDefaults({
  partition,
  startedAt,
  version = 1,
  since = startedAt,
  end = 'succeeded',
  restarts = 0,
}: ToldJob) {
  return { partition, version, since, end, restarts };
}
