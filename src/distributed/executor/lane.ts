/*
 * An executor does the jobs of a lane, one after the other. I1
 *
 * lane.1. A job that its record shows as ended is not run again: its status is told again. I6
 * lane.2. A job goes on from the progress in its record, or, where that is transferable, from what came with it. I2
 * lane.3. A failed job is cleaned up before its status is set. I5
 * lane.4. Once somebody else has the job, or it was withdrawn, nothing that is done here counts. I1
 * lane.5. Told to, it asks whether to go on before each job, and again and again while one runs.
 * lane.6. What a job has left here under an older assignment is cleaned up before it begins, and neither its status nor its progress
 *     counts. I1, I2
 */
import { admit, checkAgainst, encode, plain } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import type { DistributedOperationLogic, JobContext, JobEnd, OperationLogic } from '../declaration/implementation.js';
import type { LaneJob, LaneWork } from '../instance/effect.js';
import type { LaneResult, RanJob } from '../instance/input.js';
import { nameOf } from '../instance/under-way.js';
import type { Verdict } from '../instance/verdict.js';
import { has, partitionSet } from '../partitions/partition-set.js';
import type { LaneBeat, LaneDriver } from './executor-driver.js';
import type { JobRecord } from './job-ledger.js';
import { JobStopped, Stopping } from './stopping.js';
import { isThrown, messageOf } from '../../definition/thrown.js';

type Later = NonNullable<LaneResult['later']>[number];
type Failure = NonNullable<LaneResult['failed']>[number];
/** The end to which one job has come here: `fenced` when somebody else has it. */
type Ended =
  { readonly kind: 'succeeded'; readonly result?: unknown } | Failed | Postponed | { readonly kind: 'fenced' };
/** The same, with how often it was begun here, and whether it was begun now. */
type Performed = Ended & { readonly attempts: number; readonly isNew: boolean };
type Failed = { readonly kind: 'failed'; readonly failure: Failure };
type Postponed = { readonly kind: 'later'; readonly later: Later };

/** The length of what one job ends with, in characters of JSON. */
const LONGEST_RESULT = 2_000;

/** Does the jobs of a lane one after the other, and returns how each has ended. */
export async function runLane(
  logic: DistributedOperationLogic,
  driver: LaneDriver,
  work: LaneWork,
): Promise<LaneResult> {
  try {
    return await doJobs(logic, driver, work);
  } finally {
    driver.end();
  }
}

async function doJobs(
  { operation, logic }: DistributedOperationLogic,
  driver: LaneDriver,
  work: LaneWork,
): Promise<LaneResult> {
  const succeeded: number[] = [];
  const results: Record<string, unknown> = {};
  const failed: Failure[] = [];
  const later: Later[] = [];
  const ran: RanJob[] = [];
  const from = driver.now();
  // The argument was parsed by the schema of the type when the operation was admitted.
  const run = new JobRun(operation, logic as OperationLogic<unknown, JobContext<unknown>>, driver, work);
  for (const job of work.jobs) {
    const { partition, lock } = job;
    driver.beat({ ended: succeeded.length + failed.length, ...(lock && { partition, lock }) });
    const verdict = driver.told.stopped ? await driver.verdict() : undefined;
    if (verdict && verdict.kind !== 'go on') break;
    if (verdict && has(verdict.withdrawn, job.partition)) continue;
    if (driver.timeIsUp()) break;
    const began = driver.now();
    const { attempts, isNew, ...ended } = await run.perform(job, succeeded.length + failed.length);
    if (ended.kind === 'fenced') continue;
    if (isNew) ran.push([job.partition, attempts, began - from, driver.now() - began]);
    else ran.push([job.partition, attempts]);
    if (ended.kind === 'failed') failed.push(ended.failure);
    else if (ended.kind === 'later') later.push(ended.later);
    else {
      succeeded.push(job.partition);
      if (ended.result !== undefined) results[job.partition] = ended.result;
    }
  }
  return { succeeded: partitionSet(succeeded), results, failed, later, ran: { from, jobs: ran } };
}

class JobRun {
  constructor(
    readonly operation: AnyDistributedOperation,
    readonly logic: OperationLogic<unknown, JobContext<unknown>>,
    readonly driver: LaneDriver,
    readonly work: LaneWork,
  ) {}

  async perform(job: LaneJob, before: number): Promise<Performed> {
    const record = await this.#record(job);
    // It was not begun: what it has left before could not be cleaned up.
    if ('kind' in record) return { ...record, attempts: 0, isNew: true };
    const { attempts, state } = record;
    return { ...(await this.#perform(job, record, before)), attempts, isNew: state === 'running' };
  }

  async #perform({ partition, progress, lock }: LaneJob, record: JobRecord, before: number): Promise<Ended> {
    const { target, argument, number } = this.work;
    const name = { instance: nameOf(this.work), partition, number };
    if (record.state === 'complete') return { kind: 'succeeded', result: record.result };
    if (record.state === 'failed') return failedWith(partition, record.result);
    const stopping = new Stopping();
    const shown = { beat: { ended: before, partition, ...(lock && { lock }) } as LaneBeat };
    let last = this.#kept(record, progress);
    let over = false;
    void this.#watch(partition, stopping, () => over);
    try {
      const resumed = this.#resumed(last);
      const context = this.#context(name, stopping, resumed, shown, (kept) => (last = kept));
      const at = { target, partition, place: this.work.place };
      const end = await this.logic.job(at, argument, context);
      return await this.#conclude(name, end, last, shown.beat.lock);
    } catch (thrown) {
      if (isThrown(thrown, JobStopped)) return postponed(partition, { stopped: true, progress: last });
      const message = messageOf(thrown);
      return postponed(partition, { error: true, message, progress: last });
    } finally {
      over = true;
    }
  }

  /** Takes the record of the job over, as it is under its assignment. lane.6 */
  async #record({ partition, assignment = 0 }: LaneJob): Promise<JobRecord | Ended> {
    const { target, type, argument, number, place } = this.work;
    const { ledger } = this.driver;
    const name = { instance: nameOf(this.work), partition, number };
    const record = await ledger.open({ ...name, assignment, target, type, argument });
    if (record === 'fenced') return { kind: 'fenced' };
    if (record.assignment >= assignment) return record;
    const at = { target, partition, place };
    try {
      await this.logic.cleanUp(at, argument, name.instance);
    } catch (thrown) {
      return postponed(partition, { error: true, message: messageOf(thrown) });
    }
    const { result: _, progress: __, ...rest } = record;
    const anew = { assignment, attempts: 1, state: 'running' } as const;
    const fresh = { ...rest, ...anew };
    const set = await ledger.write(name, { ...anew, result: undefined, progress: undefined });
    return set ? fresh : { kind: 'fenced' };
  }

  /** lane.2 */
  #kept(record: JobRecord, came: unknown): unknown {
    const { kept } = this.operation.progress;
    if (kept === 'volatile') return undefined;
    return record.progress ?? came;
  }

  /** The progress as the job sees it. @throws TypeError where the schema has changed since it was kept */
  #resumed(kept: unknown): unknown {
    if (kept === undefined) return undefined;
    const seen = checkAgainst(this.operation.progress.schema, kept, 'progress');
    if (seen.valid) return seen.value;
    const remedy = 'Make the schema accept the stored progress, or cancel the operation';
    throw new TypeError(`The job cannot resume from its progress: ${describeIssues(seen.issues)}. ${remedy}.`);
  }

  /** The progress as it is kept. @throws TypeError */
  #toKeep(progress: unknown): unknown {
    const { schema } = this.operation.progress;
    const encoded = encode(schema, progress, 'progress');
    const kept = encoded.valid ? admit(schema, encoded.value, 'progress', true) : encoded;
    if (kept.valid) return kept.value;
    throw new TypeError(`The progress of '${this.operation.type}' is not right: ${describeIssues(kept.issues)}.`);
  }

  /** lane.5 */
  async #watch(partition: number, stopping: Stopping, isOver: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => this.driver.told.onStop(resolve));
    while (!isOver() && !stopping.stopped) {
      if (this.#stops(await this.driver.verdict(), partition)) stopping.stop();
      else await this.driver.pause();
    }
  }

  #stops({ kind, withdrawn }: Verdict, partition: number): boolean {
    if (kind === 'cancel' || has(withdrawn, partition)) return true;
    return kind === 'pause' && this.operation.pause !== 'lets it end';
  }

  #context(
    name: { readonly instance: string; readonly partition: number; readonly number: number },
    stopping: Stopping,
    resumed: unknown,
    shown: { beat: LaneBeat },
    keep: (progress: unknown) => void,
  ): JobContext<unknown> {
    const { driver, operation, work } = this;
    const show = (change: Partial<LaneBeat>) => driver.beat((shown.beat = { ...shown.beat, ...change }));
    return {
      instance: name.instance,
      resumed,
      stop: stopping,
      perSecond: work.perSecond,
      get timeIsUp() {
        return driver.timeIsUp();
      },
      progress: async (seen) => {
        const progress = this.#toKeep(seen);
        show({ progress });
        const isHere = operation.progress.kept === 'volatile' || (await driver.ledger.write(name, { progress }));
        if (!isHere || stopping.stopped) throw new JobStopped();
        keep(progress);
      },
      waitsForLock: (lock) => {
        const { lock: before, ...free } = shown.beat;
        if (lock) show({ lock: { ...lock, since: before?.since ?? driver.now() } });
        else if (before) driver.beat((shown.beat = free));
      },
      complete: (result) => ({ kind: 'complete', ...(result !== undefined && { result }) }),
      fail: (message, details) => ({ kind: 'failed', message, ...(details !== undefined && { details }) }),
      later: (afterMs, why) => ({ kind: 'later', afterMs, why }),
      goOn: () => ({ kind: 'goOn' }),
    };
  }

  async #conclude(
    name: { readonly instance: string; readonly partition: number; readonly number: number },
    end: JobEnd,
    progress: unknown,
    lock: LaneBeat['lock'],
  ): Promise<Ended> {
    const { partition } = name;
    switch (end.kind) {
      case 'complete': {
        const { result: given } = end;
        const checked = plain(given, 'result');
        if (!checked.valid) {
          const message = `The job cannot end with this: ${describeIssues(checked.issues)}`;
          return postponed(partition, { error: true, message, progress });
        }
        const result = checked.value;
        const length = JSON.stringify(result)?.length ?? 0;
        if (length > LONGEST_RESULT) {
          const message = `The result of the job has ${length} characters, and ${LONGEST_RESULT} are kept. Keep it where the job runs.`;
          return postponed(partition, { error: true, message, progress });
        }
        const set = await this.driver.ledger.write(name, { state: 'complete', result });
        return set ? { kind: 'succeeded', result } : { kind: 'fenced' };
      }
      case 'failed': {
        const { message, details } = end;
        if (!this.operation.canFail) return postponed(partition, { error: true, message, progress });
        const { target, place, argument } = this.work;
        await this.logic.cleanUp({ target, partition, place }, argument, name.instance);
        const result = failureToKeep(message, details);
        const set = await this.driver.ledger.write(name, { state: 'failed', result });
        return set ? failedWith(partition, result) : { kind: 'fenced' };
      }
      case 'later':
        return postponed(partition, { afterMs: end.afterMs, message: end.why, progress });
      case 'goOn':
        return postponed(partition, { progress, ...(lock && { lock }) });
    }
  }
}

/** A failure is told in any case. What is too long for that is cut. */
function failureToKeep(message: string, details: unknown): { readonly message: string; readonly details?: unknown } {
  const kept = message.slice(0, LONGEST_RESULT);
  if (details === undefined) return { message: kept };
  const checked = plain(details, 'details');
  if (!checked.valid) return { message: kept, details: `left out: ${describeIssues(checked.issues)}` };
  const length = JSON.stringify(checked.value).length;
  return length <= LONGEST_RESULT
    ? { message: kept, details: checked.value }
    : { message: kept, details: `left out: they have ${length} characters, and ${LONGEST_RESULT} are kept` };
}

function failedWith(partition: number, result: unknown): Failed {
  return { kind: 'failed', failure: { partition, ...(result as { readonly message: string }) } };
}

function postponed(partition: number, later: Omit<Later, 'partition'>): Postponed {
  return { kind: 'later', later: { partition, ...later } };
}
