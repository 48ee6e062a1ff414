import { describe, expect, it } from 'vitest';
import {
  allPartitions,
  membersOf,
  newInstance,
  nextDue,
  readInstance,
  sizeOf,
  stepInstance,
  underWay,
  verdictOf,
  type AnyDistributedOperation,
  type CallOutcome,
  type Instance,
  type InstanceEffect,
  type InstanceInput,
  type LaneResult,
  type Placement,
} from '../../src/distributed/index.js';
import { build, check, rewrite } from './types.js';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Partitions 0 to 3 in the east, 4 to 7 in the west. */
const PLACEMENT: Placement = {
  ...{ version: 1, partitions: 8 },
  places: { east: { primary: '0-3', secondary: '4-7' }, west: { primary: '4-7', secondary: '0-3' } },
};

/** One instance, to whom a test is the world. */
class Trial {
  instance: Instance;
  effects: InstanceEffect[] = [];
  now = 0;
  readonly #operation: AnyDistributedOperation;

  constructor(operation: AnyDistributedOperation, placement: Placement = PLACEMENT) {
    this.#operation = operation;
    const start = { target: 'orders/items', type: operation.type, instance: 1, argument: {} };
    this.instance = newInstance(operation, start, 0);
    this.take({ kind: 'begin' });
    this.answer('place', { kind: 'placement', placement });
  }

  take(input: Untimed<InstanceInput>): void {
    const step = stepInstance(this.#operation, this.instance, { ...input, at: this.now } as InstanceInput);
    this.instance = step.instance;
    this.effects.push(...step.effects);
  }

  /** Answers the first thing of a kind that is under way. */
  answer(kind: InstanceEffect['kind'], outcome: CallOutcome): void {
    const effect = this.underWay(kind)[0]!;
    this.take({ kind: 'answer', number: effect.number, outcome });
  }

  /** The first lane ends, with success unless it says otherwise. */
  endLane(result?: Partial<LaneResult>): void {
    const [number] = Object.keys(this.instance.lanes);
    const { given } = this.instance.lanes[number!]!;
    const outcome: CallOutcome = { kind: 'lane', result: { succeeded: given, ...result } };
    this.take({ kind: 'answer', number: Number(number), outcome });
  }

  underWay(kind: InstanceEffect['kind']): readonly InstanceEffect[] {
    return underWay(this.instance).filter((effect) => effect.kind === kind);
  }

  /** Answers all that comes after the jobs. */
  finish(): void {
    while (this.underWay('tidy').length > 0) this.answer('tidy', { kind: 'done' });
    this.answer('complete', { kind: 'completed', result: {} });
    this.answer('leave', { kind: 'done' });
  }
}

describe('an instance of a distributed operation', () => {
  it('gives a job that waits for a lock to its next lane with the time since when it waits (I5)', () => {
    const trial = new Trial(build);
    const jobOf = (partition: number) =>
      trial
        .underWay('lane')
        .flatMap((effect) => (effect.kind === 'lane' ? effect.work.jobs : []))
        .find((job) => job.partition === partition);
    const [given] = Object.values(trial.instance.lanes).map((lane) => membersOf(lane.given));
    const [partition] = given!;
    const lock = { message: 'It waits.', pids: [7], since: 5 };
    trial.endLane({ succeeded: '', later: [{ partition: partition!, lock }] });
    expect(jobOf(partition!)).toEqual({ partition, lock });
    const number = Object.keys(trial.instance.lanes).find((each) =>
      membersOf(trial.instance.lanes[each]!.given).includes(partition!),
    );
    const result: LaneResult = { succeeded: '', later: [{ partition: partition! }] };
    trial.take({ kind: 'answer', number: Number(number), outcome: { kind: 'lane', result } });
    expect(jobOf(partition!)).toEqual({ partition });
  });

  it('gives every job to the place of its primary, so many at once, and succeeds (I1)', () => {
    const trial = new Trial(build);
    const given: string[] = [];
    while (trial.instance.phase === 'running') {
      const lanes = Object.values(trial.instance.lanes);
      expect(lanes.length).toBeLessThanOrEqual(2);
      given.push(...lanes.slice(0, 1).map(({ place, partitions }) => `${place} ${partitions}`));
      trial.endLane();
    }
    expect(given.every((each) => /^east [0-3]$|^west [4-7]$/.test(each))).toBe(true);
    trial.finish();
    expect(trial.instance).toMatchObject({ phase: 'ended', outcome: 'succeeded', succeeded: '0-7' });
  });

  it('takes a job away at once from a place that lost the primary, and gives it on after the clean-up (I1, I2)', () => {
    const trial = new Trial(build);
    const [number, lane] = Object.entries(trial.instance.lanes).find(([, { place }]) => place === 'east')!;
    const places = { east: { primary: '' }, west: { primary: '0-7' } };
    trial.take({ kind: 'look' });
    trial.answer('place', { kind: 'placement', placement: { ...PLACEMENT, version: 2, places } });
    expect(verdictOf(trial.instance, number).withdrawn).toBe(lane.given);
    expect(trial.effects.at(-1)).toEqual({ kind: 'stop', number: Number(number) });
    const late: CallOutcome = { kind: 'lane', result: { succeeded: lane.given } };
    trial.take({ kind: 'answer', number: Number(number), outcome: late });
    expect(trial.instance.succeeded).toBe('');
    expect(trial.underWay('clean')).toMatchObject([{ work: { place: 'east', partitions: lane.given } }]);
    trial.answer('clean', { kind: 'done' });
    while (trial.instance.phase === 'running') trial.endLane();
    trial.finish();
    expect(trial.instance).toMatchObject({ outcome: 'succeeded', succeededAt: { west: '0-7' } });
  });

  it('takes along how far a job was that is taken away while it runs (I2)', () => {
    const trial = new Trial(check);
    const [number, lane] = Object.entries(trial.instance.lanes).find(([, { place }]) => place === 'east')!;
    const partition = membersOf(lane.given)[0]!;
    const places = { west: { primary: '0-7' } };
    trial.take({ kind: 'look' });
    trial.answer('place', { kind: 'placement', placement: { ...PLACEMENT, version: 2, places } });
    const later = [{ partition, progress: { done: 2, total: 3 } }];
    trial.take({
      kind: 'answer',
      number: Number(number),
      outcome: { kind: 'lane', result: { succeeded: '', later } },
    });
    expect(trial.instance.troubles).toEqual({});
    const given: unknown[] = [];
    while (trial.instance.phase === 'running') {
      given.push(...trial.underWay('lane').flatMap((effect) => (effect.kind === 'lane' ? effect.work.jobs : [])));
      if (trial.underWay('clean').length > 0) trial.answer('clean', { kind: 'done' });
      else trial.endLane();
    }
    const assignment = expect.any(Number) as number;
    expect(given).toContainEqual({ partition, assignment, progress: { done: 2, total: 3 } });
  });

  it('knows how long it was paused, so that its rate is the rate of its work (I5)', () => {
    const trial = new Trial(build);
    for (const kind of ['pause', 'pause', 'resume', 'resume'] as const) {
      trial.now += 1_000;
      trial.take({ kind });
    }
    expect(readInstance(trial.instance)).toMatchObject({ paused: false, pausedMs: 2_000 });
    trial.take({ kind: 'pause' });
    trial.now += 1_000;
    trial.take({ kind: 'resume' });
    expect(readInstance(trial.instance).pausedMs).toBe(3_000);
  });

  it('is held up by no place that does not answer its clean-up (I1)', () => {
    const trial = new Trial(build);
    const places = { west: { primary: '0-7' } };
    trial.take({ kind: 'look' });
    trial.answer('place', { kind: 'placement', placement: { ...PLACEMENT, version: 2, places } });
    const [number] = Object.entries(trial.instance.lanes).find(([, { place }]) => place === 'east')!;
    trial.take({ kind: 'answer', number: Number(number), outcome: { kind: 'lost' } });
    trial.answer('clean', { kind: 'lost' });
    while (trial.instance.phase === 'running') trial.endLane();
    expect(trial.instance.succeededAt).toEqual({ west: '0-7' });
  });

  it('fails with a failed job: no job begins any more, those that run are stopped and cleaned up (I5)', () => {
    const trial = new Trial(check);
    const lanes = Object.keys(trial.instance.lanes);
    const { given } = trial.instance.lanes[lanes[0]!]!;
    trial.endLane({ succeeded: '', failed: [{ partition: Number(given), message: 'a row is not right' }] });
    expect(trial.instance).toMatchObject({
      ...{ phase: 'stopping', outcome: 'failed' },
      reason: `the job of partition ${given} has failed: a row is not right`,
    });
    expect(trial.effects.filter(({ kind }) => kind === 'stop')).toHaveLength(lanes.length - 1);
    while (trial.instance.phase === 'stopping') trial.endLane({ succeeded: '' });
    expect(trial.underWay('tidy').length).toBeGreaterThan(0);
    trial.finish();
    expect(trial.instance).toMatchObject({ phase: 'ended', outcome: 'failed' });
  });

  it('ends the other jobs first where its type says so (I5)', () => {
    const trial = new Trial(rewrite);
    const { given } = Object.values(trial.instance.lanes)[0]!;
    trial.endLane({ succeeded: '', failed: [{ partition: Number(given), message: 'it does not fit' }] });
    while (trial.instance.phase === 'running') trial.endLane();
    expect(trial.instance).toMatchObject({ outcome: 'failed', failed: given });
    expect(sizeOf(trial.instance.succeeded)).toBe(7);
  });

  it('has no failed jobs where its type cannot fail: they are tried again, with growing delay (I5)', () => {
    const trial = new Trial(build);
    const failed = [{ partition: 0, message: 'the disk is full' }];
    for (const seconds of [1, 2, 4, 8]) {
      const lane = Object.entries(trial.instance.lanes).find(([, { given }]) => given === '0')!;
      trial.take({
        ...{ kind: 'answer', number: Number(lane[0]) },
        outcome: { kind: 'lane', result: { succeeded: '', failed } },
      });
      expect(trial.instance.troubles['0']).toMatchObject({
        message: 'the disk is full',
        retryAt: trial.now + seconds * 1_000,
      });
      while (Object.keys(trial.instance.lanes).length > 0) trial.endLane();
      trial.now = nextDue(trial.instance)!;
      trial.take({ kind: 'due' });
    }
    expect(trial.instance).toMatchObject({ phase: 'running', failed: '' });
  });

  it('begins nothing while it is paused, and goes on afterwards (I1)', () => {
    const trial = new Trial(build);
    const [number] = Object.keys(trial.instance.lanes);
    trial.take({ kind: 'pause' });
    expect(verdictOf(trial.instance, number!).kind).toBe('pause');
    while (Object.keys(trial.instance.lanes).length > 0) trial.endLane({ succeeded: '' });
    trial.take({ kind: 'due' });
    expect(trial.underWay('lane')).toEqual([]);
    trial.take({ kind: 'resume' });
    expect(trial.underWay('lane')).toHaveLength(2);
  });

  it('waits for the clean-up of a place that answers, however often it fails, and counts for each place (I5, call-retries.1, .2)', () => {
    const trial = new Trial(build);
    while (trial.instance.phase === 'running') trial.endLane();
    expect(trial.underWay('tidy')).toHaveLength(2);
    trial.answer('tidy', { kind: 'error', message: 'east is busy' });
    trial.answer('tidy', { kind: 'error', message: 'west is busy' });
    for (let attempt = 2; attempt <= 20; attempt++) {
      trial.now = nextDue(trial.instance)!;
      trial.take({ kind: 'due' });
      trial.answer('tidy', { kind: 'error', message: 'east is busy' });
      if (trial.underWay('tidy').length > 0) trial.answer('tidy', { kind: 'done' });
    }
    expect(trial.instance).toMatchObject({ phase: 'tidying', tidied: ['west'] });
    expect(readInstance(trial.instance).retries).toEqual([
      { kind: 'tidy', place: 'east', attempts: 20, message: 'east is busy' },
    ]);
    trial.now = nextDue(trial.instance)!;
    trial.take({ kind: 'due' });
    trial.answer('tidy', { kind: 'done' });
    expect(trial.instance.phase).toBe('completing');
    trial.finish();
    expect(readInstance(trial.instance)).toMatchObject({ phase: 'ended', outcome: 'succeeded', retries: [] });
  });

  it('goes on without a clean-up that fails once more when a person says so (I5, call-retries.2)', () => {
    const trial = new Trial(build);
    while (trial.instance.phase === 'running') trial.endLane();
    for (const message of ['east is busy', 'west is busy']) trial.answer('tidy', { kind: 'error', message });
    trial.take({ kind: 'proceed' });
    expect(trial.underWay('tidy')).toHaveLength(2);
    for (const message of ['east is busy', 'west is busy']) trial.answer('tidy', { kind: 'error', message });
    expect(trial.instance.phase).toBe('completing');
  });

  it('runs its completion again until it does not throw, and takes its effect once (I6)', () => {
    const trial = new Trial(build);
    while (trial.instance.phase === 'running') trial.endLane();
    while (trial.underWay('tidy').length > 0) trial.answer('tidy', { kind: 'done' });
    trial.answer('complete', { kind: 'error', message: 'the table is locked' });
    expect(trial.underWay('complete')).toEqual([]);
    trial.now = nextDue(trial.instance)!;
    trial.take({ kind: 'due' });
    const { number } = trial.underWay('complete')[0]!;
    const starts = [{ type: 'check', argument: {} }];
    const outcome: CallOutcome = { kind: 'completed', result: { starts } };
    for (const _ of [1, 2]) trial.take({ kind: 'answer', number, outcome });
    expect(trial.underWay('leave')).toMatchObject([{ starts }]);
  });

  it('runs jobs again that its completion finds undone (I6)', () => {
    const trial = new Trial(build);
    const isRunning = () => trial.instance.phase === 'running';
    while (isRunning()) trial.endLane();
    while (trial.underWay('tidy').length > 0) trial.answer('tidy', { kind: 'done' });
    trial.answer('complete', { kind: 'completed', result: { reopen: '2' } });
    expect(trial.instance).toMatchObject({ phase: 'running', succeeded: '0-1,3-7' });
    expect(trial.underWay('lane')).toMatchObject([{ work: { jobs: [{ partition: 2 }] } }]);
    trial.answer('place', { kind: 'placement', placement: PLACEMENT });
    while (isRunning()) trial.endLane();
    trial.finish();
    expect(trial.instance.outcome).toBe('succeeded');
  });

  it('fails when its target is not there any more (I5)', () => {
    const trial = new Trial(build);
    trial.take({ kind: 'look' });
    trial.answer('place', { kind: 'placement', placement: undefined });
    expect(trial.instance).toMatchObject({ outcome: 'failed', reason: 'orders/items is not there any more' });
  });

  it('of 10,000 partitions over three places stays within the budget of a snapshot, in few lanes (I1)', () => {
    const every = (first: number) => Array.from({ length: 3_334 }, (_, at) => at * 3 + first).filter((p) => p < 10_000);
    const text = (first: number) => every(first).join();
    const places = { east: { primary: text(0) }, west: { primary: text(1) }, north: { primary: text(2) } };
    const trial = new Trial(check, { version: 1, partitions: 10_000, places });
    let lanes = 0;
    let longest = 0;
    while (trial.instance.phase === 'running') {
      if (lanes % 20 === 0) longest = Math.max(longest, JSON.stringify(trial.instance).length);
      lanes++;
      trial.endLane();
    }
    expect(trial.instance.succeeded).toBe(allPartitions(10_000));
    expect(lanes).toBeLessThan(300);
    expect(longest).toBeLessThan(256 * 1_024);
  });
});

describe('what jobs say', () => {
  const wide: Placement = { version: 1, partitions: 5_000, places: { east: { primary: '0-4999' } } };
  const trial = (operation: AnyDistributedOperation) => new Trial({ ...operation, atOnce: 50 }, wide);
  const size = (instance: Instance) => JSON.stringify(instance).length;

  it('fits into a message, however many they are, and their completion is told what was left out (I6)', () => {
    const it = trial(build);
    while (it.underWay('lane').length > 0) {
      const [, lane] = Object.entries(it.instance.lanes)[0]!;
      it.endLane({ results: Object.fromEntries(membersOf(lane.given).map((each) => [each, 'x'.repeat(1_900)])) });
    }
    expect(size(it.instance)).toBeLessThan(500_000);
    const kept = Object.keys(it.instance.results).length;
    expect(kept).toBeGreaterThan(150);
    expect(it.instance.resultsLeftOut).toBe(5_000 - kept);
    it.answer('tidy', { kind: 'done' });
    const [effect] = it.underWay('complete');
    expect(effect).toMatchObject({ work: { completing: { success: true, resultsLeftOut: 5_000 - kept } } });
  });

  it('also when all of them are tried again', () => {
    const it = trial(build);
    for (let lanes = 0; lanes < 500 && it.underWay('lane').length > 0; lanes++) {
      const [, lane] = Object.entries(it.instance.lanes)[0]!;
      const later = membersOf(lane.given).map((partition) => ({ partition, error: true, message: 'e'.repeat(500) }));
      it.endLane({ succeeded: '', later });
    }
    expect(Object.keys(it.instance.troubles).length).toBeGreaterThan(4_000);
    expect(size(it.instance)).toBeLessThan(500_000);
  });
});
