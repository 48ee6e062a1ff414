import { describe, expect, it } from 'vitest';
import {
  cleanJobs,
  implementDistributedOperation,
  lookAtRecords,
  MemoryLedger,
  runLane,
  Stopping,
  tidyPlace,
  type AnyDistributedOperation,
  type JobContext,
  type JobEnd,
  type LaneBeat,
  type LaneDriver,
  type LaneWork,
  type Verdict,
} from '../../src/distributed/index.js';
import { build, check } from './types.js';

interface Counted {
  readonly done: number;
  readonly total: number;
}
type Job = (partition: number, context: JobContext<Counted>) => Promise<JobEnd>;

/** The executor of one place, with jobs that a test gives. */
class Executor {
  readonly ledger = new MemoryLedger();
  readonly told = new Stopping();
  readonly cleaned: number[] = [];
  readonly beats: LaneBeat[] = [];
  now = 0;
  verdict: Verdict = { kind: 'go on', withdrawn: '' };
  isLate = false;
  readonly #operation: AnyDistributedOperation;
  job: Job;

  constructor(operation: AnyDistributedOperation, job: Job) {
    this.#operation = operation;
    this.job = job;
  }

  get logic() {
    return implementDistributedOperation(this.#operation, {
      job: ({ partition }, _argument, context: JobContext<Counted>) => this.job(partition, context),
      cleanUp: async ({ partition }) => void this.cleaned.push(partition),
      complete: async () => undefined,
    });
  }

  work(number: number, jobs: LaneWork['jobs']): LaneWork {
    const { type } = this.#operation;
    return { target: 'orders/items', type, instance: 1, place: 'east', number, argument: {}, jobs };
  }

  run(number: number, ...jobs: LaneWork['jobs']) {
    const driver: LaneDriver = {
      ledger: this.ledger,
      now: () => this.now,
      beat: (beat) => void this.beats.push(beat),
      told: this.told,
      verdict: async () => this.verdict,
      pause: async () => undefined,
      timeIsUp: () => this.isLate,
      end: () => undefined,
    };
    return runLane(this.logic, driver, this.work(number, jobs));
  }
}

const complete: Job = async (partition, context) => context.complete(`row ${partition}`);

describe('the executor of a place', () => {
  it('does the jobs of a lane one after the other (I1)', async () => {
    const executor = new Executor(build, complete);
    expect(await executor.run(1, { partition: 0 }, { partition: 3 })).toMatchObject({
      succeeded: '0,3',
      results: { 0: 'row 0', 3: 'row 3' },
    });
  });

  it('tells the status of a job that has ended again, and does not run it again (I6)', async () => {
    let runs = 0;
    const executor = new Executor(build, async (partition, context) => {
      runs++;
      return complete(partition, context);
    });
    const [first, again] = [await executor.run(1, { partition: 0 }), await executor.run(2, { partition: 0 })];
    expect(again).toEqual({ ...first, ran: { from: 0, jobs: [[0, 1]] } });
    expect(runs).toBe(1);
  });

  it('resumes a job from the progress that it has kept (I2)', async () => {
    const executor = new Executor(build, async (_, context) => {
      await context.progress({ done: 5, total: 9 });
      throw new Error('the connection is gone');
    });
    const { later } = await executor.run(1, { partition: 0 });
    expect(later).toMatchObject([{ partition: 0, error: true, message: 'the connection is gone' }]);
    executor.job = async (_, context) => context.complete(context.resumed?.done);
    expect(await executor.run(2, { partition: 0 })).toMatchObject({ results: { 0: 5 } });
  });

  it('goes on from progress that came with the job, where nothing is recorded here (I2)', async () => {
    const executor = new Executor(check, async (_, context) => context.complete(context.resumed?.done));
    const ended = await executor.run(1, { partition: 0, progress: { done: 4, total: 9 } });
    expect(ended.results).toEqual({ 0: 4 });
  });

  it('refuses a result that is too long for a message, and tries the job again', async () => {
    const executor = new Executor(build, async (_, context) => context.complete('x'.repeat(3_000)));
    const { succeeded, later } = await executor.run(1, { partition: 0 });
    expect(succeeded).toBe('');
    expect(later).toMatchObject([
      { error: true, message: expect.stringContaining('3002 characters, and 2000 are kept') },
    ]);
  });

  it('tells a failure in any case, without details that are too long (I5)', async () => {
    const executor = new Executor(check, async (_, context) =>
      context.fail('bad'.repeat(1_000), { rows: 'x'.repeat(3_000) }),
    );
    const { failed } = await executor.run(1, { partition: 0 });
    expect(failed).toMatchObject([{ details: 'left out: they have 3011 characters, and 2000 are kept' }]);
    expect(failed![0]!.message).toHaveLength(2_000);
  });

  it('cleans a failed job up before its status is set (I5)', async () => {
    const executor = new Executor(check, async (_, context) => context.fail('a row is not right', { rows: 2 }));
    const { failed } = await executor.run(1, { partition: 0 });
    expect(failed).toEqual([{ partition: 0, message: 'a row is not right', details: { rows: 2 } }]);
    expect(executor.cleaned).toEqual([0]);
  });

  it('has no failed job where its type cannot fail (I5)', async () => {
    const executor = new Executor(build, async (_, context) => context.fail('no'));
    expect(await executor.run(1, { partition: 0 })).toMatchObject({
      failed: [],
      later: [{ error: true, message: 'no' }],
    });
  });

  it('stops a job that was withdrawn, and goes on with those that were not (I1)', async () => {
    const executor = new Executor(build, async (partition, context) => {
      if (partition !== 0) return complete(partition, context);
      executor.verdict = { kind: 'go on', withdrawn: '0,2' };
      executor.told.stop();
      await new Promise<void>((resolve) => context.stop.onStop(resolve));
      await context.progress({ done: 1, total: 2 });
      return context.complete();
    });
    const ended = await executor.run(1, { partition: 0 }, { partition: 1 }, { partition: 2 });
    expect(ended).toMatchObject({ succeeded: '1', later: [{ partition: 0 }] });
  });

  it('lets nothing count that somebody does who was replaced (I1, I2)', async () => {
    const executor = new Executor(build, async (_, context) => {
      const { job } = executor;
      executor.job = complete;
      await executor.run(2, { partition: 0 });
      executor.job = job;
      await context.progress({ done: 1, total: 2 });
      return context.complete();
    });
    expect(await executor.run(1, { partition: 0 })).toMatchObject({ succeeded: '' });
    expect(await executor.ledger.records()).toMatchObject([{ number: 2, state: 'complete' }]);
  });

  it('begins no job after a pause, or when the lane has lasted long enough (I1)', async () => {
    const executor = new Executor(build, complete);
    executor.isLate = true;
    expect((await executor.run(1, { partition: 0 })).succeeded).toBe('');
    executor.isLate = false;
    executor.verdict = { kind: 'pause', withdrawn: '' };
    executor.told.stop();
    expect((await executor.run(2, { partition: 0 })).succeeded).toBe('');
  });

  it('cleans up what was taken away from it, whether finished or not (I2)', async () => {
    const executor = new Executor(build, complete);
    await executor.run(1, { partition: 0 }, { partition: 1 });
    await cleanJobs(executor.logic, executor.ledger, { ...executor.work(2, []), partitions: '0' });
    expect(executor.cleaned).toEqual([0]);
    expect(await executor.ledger.records()).toMatchObject([{ partition: 1 }]);
  });

  it('forgets an instance that ends, and keeps what counts (I5)', async () => {
    const executor = new Executor(build, complete);
    await executor.run(1, { partition: 0 }, { partition: 1 });
    await tidyPlace(executor.logic, executor.ledger, { ...executor.work(2, []), finished: '1' });
    expect(executor.cleaned).toEqual([0]);
    expect(await executor.ledger.records()).toEqual([]);
  });

  it('hands over since when a job waits for a lock that continues in the next lane (I5)', async () => {
    const executor = new Executor(build, async (_, context) => {
      context.waitsForLock({ message: 'It waits.', pids: [7] });
      return context.goOn();
    });
    executor.now = 5;
    const { later } = await executor.run(1, { partition: 0 });
    const lock = { message: 'It waits.', pids: [7], since: 5 };
    expect(later).toEqual([{ partition: 0, lock }]);
    executor.now = 70;
    executor.beats.length = 0;
    const again = await executor.run(2, { partition: 0, lock });
    expect(again.later).toEqual(later);
    // It is shown from the first beat on.
    for (const beat of executor.beats) expect(beat).toMatchObject({ partition: 0, lock });
  });

  it('hands over no lock that a job no longer waits for (I5)', async () => {
    const executor = new Executor(build, async (_, context) => {
      context.waitsForLock();
      return context.goOn();
    });
    const { later } = await executor.run(2, { partition: 0, lock: { message: 'It waits.', since: 5 } });
    expect(later).toEqual([{ partition: 0 }]);
    expect(executor.beats.at(-1)).toEqual({ ended: 0, partition: 0 });
  });

  it('looks, when it starts, at what is left: cleans up, forgets or keeps it (I2)', async () => {
    const executor = new Executor(build, async (_, context) => context.goOn());
    await executor.run(1, { partition: 0 }, { partition: 1 });
    const logics = new Map([[build.type, executor.logic]]);
    const cleaned = await lookAtRecords(logics, executor.ledger, 'east', async ({ partition }) =>
      partition === 0 ? 'clean up' : 'keep',
    );
    expect(cleaned).toBe(1);
    expect(executor.cleaned).toEqual([0]);
    expect(await executor.ledger.records()).toMatchObject([{ partition: 1, state: 'running' }]);
  });
});
