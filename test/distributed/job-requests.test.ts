import { describe, expect, it } from 'vitest';
import {
  jobRefusal,
  newInstance,
  readInstance,
  stepInstance,
  underWay,
  type AnyDistributedOperation,
  type CallOutcome,
  type Instance,
  type InstanceEffect,
  type InstanceInput,
  type JobRequest,
  type LaneResult,
  type Placement,
} from '../../src/distributed/index.js';
import { build, check, rewrite } from './types.js';

/** Partitions 0 to 3 in the east, 4 to 7 in the west; the north has nothing. */
const PLACEMENT: Placement = {
  ...{ version: 1, partitions: 8 },
  places: {
    east: { primary: '0-3', secondary: '4-7' },
    west: { primary: '4-7', secondary: '0-3' },
    north: { primary: '' },
  },
};

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

class Trial {
  instance: Instance;
  now = 0;
  requests = 0;

  constructor(readonly operation: AnyDistributedOperation) {
    const start = { target: 'orders/items', type: operation.type, instance: 1, argument: {} };
    this.instance = newInstance(operation, start, 0);
    this.take({ kind: 'begin' });
  }

  take(input: Untimed<InstanceInput>): void {
    this.instance = stepInstance(this.operation, this.instance, { ...input, at: this.now } as InstanceInput).instance;
  }

  placed(placement = PLACEMENT): this {
    this.answer('place', { kind: 'placement', placement });
    return this;
  }

  answer(kind: InstanceEffect['kind'], outcome: CallOutcome): void {
    const { number } = underWay(this.instance).find((effect) => effect.kind === kind)!;
    this.take({ kind: 'answer', number, outcome });
  }

  /** Ends the lane that has the job of a partition. */
  endLaneOf(partition: number, result: Partial<LaneResult>): void {
    const [number] = Object.entries(this.instance.lanes).find(([, { given }]) => given === `${partition}`)!;
    const outcome: CallOutcome = { kind: 'lane', result: { succeeded: '', ...result } };
    this.take({ kind: 'answer', number: Number(number), outcome });
  }

  retry(partition: number, request = `request ${++this.requests}`) {
    return this.ask({ kind: 'retry', partition, request });
  }

  move(partition: number, place: string, request = `request ${++this.requests}`) {
    return this.ask({ kind: 'move', partition, place, request });
  }

  /** The code of the refusal. What is refused must change nothing. */
  ask(asked: JobRequest): string | undefined {
    const before = this.instance;
    const refusal = jobRefusal(this.operation, before, asked);
    this.take(asked);
    if (refusal) expect(this.instance).toEqual({ ...before, now: this.now });
    return refusal?.code;
  }

  placeOf(partition: number): string | undefined {
    return Object.values(this.instance.lanes).find(({ partitions }) => partitions === `${partition}`)?.place;
  }
}

/** One job in each lane. */
function trialOf(operation: AnyDistributedOperation): Trial {
  return new Trial({ ...operation, atOnce: 8 }).placed();
}

describe('a retry of a job by a person (I5)', () => {
  it('makes the next attempt now', () => {
    const trial = trialOf(build);
    trial.endLaneOf(2, { later: [{ partition: 2, error: true, message: 'no disk' }] });
    expect(trial.placeOf(2)).toBeUndefined();
    expect(trial.retry(2)).toBeUndefined();
    expect(trial.placeOf(2)).toBe('east');
    // The number of attempts stays, so that the next delay is longer.
    expect(trial.instance.troubles[2]).toMatchObject({ attempts: 1 });
  });

  it('waits for the end of a pause', () => {
    const trial = trialOf(build);
    trial.endLaneOf(2, { later: [{ partition: 2, error: true }] });
    trial.take({ kind: 'pause' });
    expect(trial.retry(2)).toBeUndefined();
    expect(trial.placeOf(2)).toBeUndefined();
    trial.take({ kind: 'resume' });
    expect(trial.placeOf(2)).toBe('east');
  });

  it('runs a failed job again from scratch, in an assignment of its own, while others run (job-requests.2, I6)', () => {
    const trial = trialOf(rewrite);
    const ran = { from: 0, jobs: [[2, 1, 0, 5] as const] };
    trial.endLaneOf(2, { failed: [{ partition: 2, message: 'bad rows' }], ran });
    expect(trial.instance).toMatchObject({ failed: '2', phase: 'running' });
    expect(readInstance(trial.instance).failures).toEqual([{ partition: 2, message: 'bad rows' }]);
    expect(trial.retry(2)).toBeUndefined();
    expect(trial.instance).toMatchObject({ failed: '', results: {}, resultCharacters: 0, retried: { 2: 1 } });
    const lane = underWay(trial.instance).findLast(({ kind }) => kind === 'lane')!;
    expect(lane).toMatchObject({ work: { jobs: [{ partition: 2, assignment: lane.number - 1 }] } });
    for (const partition of [0, 1, 2, 3, 4, 5, 6, 7]) trial.endLaneOf(partition, { succeeded: `${partition}` });
    expect(trial.instance).toMatchObject({ outcome: 'succeeded' });
  });

  it('tells the store of another job, from its first attempt on (telling.5, S5.1)', () => {
    const trial = trialOf(rewrite);
    const ran = { from: 0, jobs: [[2, 1, 0, 5] as const] };
    trial.endLaneOf(2, { failed: [{ partition: 2, message: 'bad rows' }], ran });
    trial.retry(2);
    const [number] = Object.entries(trial.instance.lanes).find(([, { given }]) => given === '2')!;
    const outcome: CallOutcome = { kind: 'lane', result: { succeeded: '2', ran } };
    const { told } = stepInstance(trial.operation, trial.instance, {
      ...{ kind: 'answer', number: Number(number), outcome, at: 0 },
    });
    expect(told!.jobs).toEqual([{ partition: 2, startedAt: 0, took: 0, round: 1 }]);
  });

  it('makes the clean-up now for which the job waits', () => {
    const trial = trialOf(check);
    trial.move(2, 'east');
    trial.endLaneOf(2, {});
    trial.answer('clean', { kind: 'error', message: 'locked' });
    const cleans = () => underWay(trial.instance).filter(({ kind }) => kind === 'clean');
    expect(cleans()).toEqual([]);
    expect(trial.retry(2)).toBeUndefined();
    expect(cleans()).toHaveLength(1);
  });

  it('is refused where there is nothing to retry, and changes nothing', () => {
    const trial = trialOf(build);
    trial.endLaneOf(1, { succeeded: '1' });
    expect(trial.retry(99)).toBe('unknown_partition');
    expect(trial.retry(1)).toBe('job_succeeded');
    expect(trial.retry(2)).toBe('job_running');
    expect(new Trial(build).retry(2)).toBe('not_placed');
    const limited = new Trial({ ...build, atOnce: 1 }).placed();
    expect(limited.retry(5)).toBe('job_waiting');
    trial.take({ kind: 'cancel' });
    expect(trial.retry(2)).toBe('ending');
    const asked = { kind: 'retry', partition: 2, request: 'again' } as const;
    expect(jobRefusal(trial.operation, trial.instance, asked)?.message).toMatch(/^It was canceled and runs no jobs/);
  });
});

describe('a move of a job by a person (I1, I2)', () => {
  it('cleans up where the job is, and runs it at the other place, in another assignment (job-requests.3)', () => {
    const trial = trialOf(check);
    // Jobs that may run anywhere spare the primary.
    expect(trial.placeOf(2)).toBe('west');
    expect(trial.move(2, 'east')).toBeUndefined();
    expect(trial.placeOf(2)).toBeUndefined();
    trial.endLaneOf(2, { later: [{ partition: 2, stopped: true, progress: { done: 1, total: 3 } }] });
    expect(trial.placeOf(2)).toBeUndefined();
    trial.answer('clean', { kind: 'done' });
    expect(trial.placeOf(2)).toBe('east');
    const lane = underWay(trial.instance).findLast(({ kind }) => kind === 'lane');
    expect(lane).toMatchObject({
      work: { jobs: [{ partition: 2, assignment: expect.any(Number), progress: { done: 1, total: 3 } }] },
    });
  });

  it('moves a job away from a place that does not answer', () => {
    const trial = trialOf(check);
    trial.move(2, 'east');
    // Temporal takes a lane back that nobody has taken.
    trial.answer('lane', { kind: 'lost' });
    trial.endLaneOf(2, {});
    trial.answer('clean', { kind: 'lost' });
    expect(trial.placeOf(2)).toBe('east');
  });

  it('holds until the place has no replica any more', () => {
    const trial = new Trial({ ...check, atOnce: 1 }).placed();
    expect(trial.move(5, 'west')).toBeUndefined();
    expect(trial.instance.moved).toEqual({ west: '5' });
    trial.take({ kind: 'look' });
    trial.placed({ ...PLACEMENT, version: 2, places: { ...PLACEMENT.places, west: { primary: '4,6-7' } } });
    expect(trial.instance.moved).toEqual({});
  });

  it('is refused where the job cannot go, and changes nothing', () => {
    const trial = trialOf(check);
    expect(trial.move(2, 'south')).toBe('unknown_place');
    expect(trial.move(2, 'north')).toBe('place_not_eligible');
    expect(trial.move(2, 'west')).toBe('already_there');
    expect(trial.move(99, 'west')).toBe('unknown_partition');
    expect(trialOf(build).move(2, 'west')).toBe('place_not_eligible');
    trial.endLaneOf(2, { succeeded: '2' });
    expect(trial.move(2, 'east')).toBe('job_succeeded');
    const rewriting = trialOf({ ...rewrite, on: 'any' });
    rewriting.endLaneOf(2, { failed: [{ partition: 2, message: 'bad rows' }] });
    expect(rewriting.move(2, 'east')).toBe('job_failed');
  });
});

describe('a request for a job that comes again (job-requests.1, S2.5)', () => {
  it('changes nothing more, and with other content it is refused', () => {
    const trial = trialOf(build);
    trial.endLaneOf(2, { later: [{ partition: 2, error: true }] });
    expect(trial.retry(2, 'once')).toBeUndefined();
    trial.endLaneOf(2, { later: [{ partition: 2, error: true }] });
    expect(trial.retry(2, 'once')).toBeUndefined();
    expect(trial.placeOf(2)).toBeUndefined();
    expect(trial.retry(3, 'once')).toBe('request_conflict');
    expect(trial.move(2, 'west', 'once')).toBe('request_conflict');
    trial.take({ kind: 'cancel' });
    expect(trial.retry(2, 'once')).toBeUndefined();
  });

  it('is remembered among a thousand later ones', () => {
    const trial = trialOf(build);
    for (let number = 0; number <= 1_000; number++) {
      trial.endLaneOf(2, { later: [{ partition: 2, error: true }] });
      expect(trial.retry(2, `request ${number}`)).toBeUndefined();
    }
    expect(trial.retry(3, 'request 1')).toBe('request_conflict');
    expect(trial.retry(3, 'request 0')).toBe('job_running');
    expect(trial.instance.requests).toHaveLength(12_000);
  });
});
