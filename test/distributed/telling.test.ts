import { describe, expect, it } from 'vitest';
import { laneTold, notHere, toldBy } from '../../src/distributed/instance/telling.js';
import type { CallOutcome, LaneResult } from '../../src/distributed/instance/input.js';
import type { Instance, Lane } from '../../src/distributed/instance/instance.js';
import { newInstance } from '../../src/distributed/instance/step.js';
import { rowsOfJobs } from '../../src/protocol/job-rows.js';
import type { JobsRecord, ToldJob } from '../../src/protocol/jobs-record.js';
import type { AnyDistributedOperation } from '../../src/distributed/index.js';
import { build, check } from './types.js';

const START = 1_000_000;
const LANE: Lane = { place: 'east', given: '0-3', partitions: '0-3', at: START + 100 };

function instance(changes: Partial<Instance> = {}, type: AnyDistributedOperation = build): Instance {
  const start = { target: 'orders/items', type: type.type, instance: 1, argument: {} };
  return { ...newInstance(type, start, START), now: START + 1_000, lanes: { 7: LANE }, ...changes };
}

const lane = (result: Partial<LaneResult>): CallOutcome => ({ kind: 'lane', result: { succeeded: '', ...result } });
const told = (of: Instance, outcome: CallOutcome, type: AnyDistributedOperation = build) =>
  laneTold(type, of, '7', outcome);

describe('what is told of jobs (S5.1)', () => {
  it('is each attempt once, with how it has ended', () => {
    const ran = { from: START + 110, jobs: [[0, 1, 10, 20] as const, [1, 1, 30, 5] as const, [2, 1, 40, 1] as const] };
    const later = [
      { partition: 1, error: true, message: 'no disk' },
      { partition: 2, stopped: true },
    ];
    const { jobs, tried, restarts } = told(instance(), lane({ succeeded: '0', later, ran }));
    expect(jobs).toEqual([
      { partition: 0, startedAt: 120, took: 20 },
      {
        ...{ partition: 1, startedAt: 140, took: 5, end: 'waiting', outcome: 'failed' },
        error: { kind: 'retryable', code: 'attempt_failed', message: 'no disk' },
      },
      { partition: 2, startedAt: 150, took: 1, end: 'waiting', outcome: 'aborted' },
    ]);
    expect(tried).toEqual({ 1: [1, 140, 1, 0], 2: [1, 150, 1, 0] });
    expect(restarts).toBe(0);
  });

  it('counts what an executor had begun that has died since (telling.2)', () => {
    const ran = { from: START + 110, jobs: [[1, 4, 0, 5] as const] };
    const { jobs, restarts } = told(instance({ tried: { 1: [2, 50, 1, 1] } }), lane({ succeeded: '1', ran }));
    expect(jobs).toEqual([{ partition: 1, startedAt: 110, took: 5, version: 5, since: 50, cutOff: 2, restarts: 3 }]);
    expect(restarts).toBe(2);
    const rows = rowsOfJobs(recordOf(jobs));
    expect(rows).toMatchObject([
      { kind: 'event', startedAt: START + 50, endedAt: START + 115, endState: 'succeeded', restarts: 3 },
      { kind: 'transition', version: 3, outcome: 'aborted', endState: 'waiting' },
      { kind: 'transition', version: 4, outcome: 'aborted' },
      { kind: 'transition', version: 5, outcome: 'success', endState: 'succeeded', retries: 4 },
    ]);
  });

  it('takes a job for cut off that a lost lane was at, until a record tells that it has ended (telling.2)', () => {
    const lost = told(instance(), { kind: 'lost', atHand: 3 });
    expect(lost.jobs).toMatchObject([
      { partition: 3, outcome: 'aborted', error: { code: 'executor_lost' }, restarts: 1 },
    ]);
    expect(lost.tried).toEqual({ 3: [1, 100, 1, 1] });
    const found = told(instance({ tried: lost.tried }), lane({ succeeded: '3', ran: { from: START, jobs: [[3, 1]] } }));
    expect(found.jobs).toMatchObject([{ partition: 3, restarts: 1 }]);
    expect(found.jobs[0]).not.toHaveProperty('version');
    expect(told(instance(), { kind: 'lost' }).jobs).toEqual([]);
  });

  it('does not take what a lane says for an end once the job was taken away from it (telling.3, I1)', () => {
    const moved = instance({ lanes: { 7: { ...LANE, partitions: '0,2-3' } } });
    const ran = { from: START + 100, jobs: [[1, 1, 0, 5] as const] };
    const { jobs, tried } = told(moved, lane({ succeeded: '1', ran }));
    expect(jobs).toMatchObject([{ partition: 1, end: 'waiting', outcome: 'aborted', error: { code: 'moved' } }]);
    expect(notHere(tried, '1')).toEqual({ 1: [1, 100, 0, 0] });
  });

  it('lies between the beginning and the end of the lane, whatever the clock of the place says (telling.4)', () => {
    const early = { from: START - 60_000, jobs: [[0, 1, 0, 5] as const] };
    const late = { from: START + 60_000, jobs: [[0, 1, 0, 5] as const] };
    expect(told(instance(), lane({ succeeded: '0', ran: early })).jobs).toMatchObject([{ startedAt: 100, took: 5 }]);
    expect(told(instance(), lane({ succeeded: '0', ran: late })).jobs).toMatchObject([{ startedAt: 1_000, took: 0 }]);
  });

  it('is a failure where the type can fail, and else an attempt (I5)', () => {
    const failed = [{ partition: 0, message: 'bad rows' }];
    const ran = { from: START + 100, jobs: [[0, 1, 0, 5] as const] };
    expect(told(instance({}, check), lane({ failed, ran }), check).jobs).toMatchObject([
      { end: 'failed', outcome: 'error', error: { code: 'job_failed', message: 'bad rows' } },
    ]);
    expect(told(instance(), lane({ failed, ran })).jobs).toMatchObject([{ end: 'waiting', outcome: 'failed' }]);
  });

  it('is the end of what was begun and has not ended, when the operation has', () => {
    const before = instance({ phase: 'leaving', lanes: {}, tried: { 2: [3, 70, 0, 1] } });
    const after: Instance = { ...before, phase: 'ended', endedAt: START + 2_000 };
    const end = toldBy(build, before, after, { kind: 'due', at: START + 2_000 })!;
    expect(end).toEqual({
      id: 'end',
      place: '',
      jobs: [],
      cancelled: [{ partition: 2, version: 3, since: 70, restarts: 1 }],
    });
    expect(rowsOfJobs({ ...recordOf([]), cancelled: end.cancelled })).toMatchObject([
      { kind: 'event', endState: 'cancelled', endDetails: { canceled: true }, endVersion: 3 },
    ]);
  });
});

function recordOf(jobs: readonly ToldJob[]): JobsRecord {
  return {
    ...{ kind: 'jobs', id: '7', life: 'run', operation: 'r1', target: 'orders/items', type: 'build', instance: 1 },
    ...{ from: START, at: START + 2_000, place: 'east', jobs },
  };
}
