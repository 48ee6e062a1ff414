/** Scenarios for I, distributed operations. */
import { expect } from 'vitest';
import { nameOf } from '../../src/distributed/index.js';
import { rowsOfJobs } from '../../src/protocol/job-rows.js';
import type { EstatePlane } from './estate.js';
import { scenario } from './scenario.js';

const FIELDS = 12;
const ALL_FIELDS = Array.from({ length: FIELDS }, (_, field) => field);

/** A scenario on an estate of its own. At its end, no job has left a record or half-done rows. */
function onEstate(id: string, title: string, run: (plane: EstatePlane) => Promise<void>) {
  return scenario(id, title, async (plane, key) =>
    plane.onEstate(key, FIELDS, async (estates) => {
      await run(estates);
      await estates.until(async () => (await estates.records()).length === 0);
      expect([...estates.estate.rows]).toEqual([]);
    }),
  );
}

const refused = (starting: Promise<unknown>) =>
  starting.then(
    () => {
      throw new Error('it was not refused');
    },
    (thrown: { readonly code: string; readonly message: string; readonly running?: object }) => thrown,
  );

const sow = (crop = 'rye', rows = 3) => ['sow', { crop, rows }] as const;

export const distributed = [
  onEstate('I1', 'each partition has one job, where its primary is', async (plane) => {
    const ref = await plane.start(...sow());
    expect(await plane.result(ref)).toMatchObject({
      outcome: 'succeeded',
      jobs: { all: FIELDS, succeeded: FIELDS, failed: 0 },
    });
    const { completed, begun } = plane.estate;
    expect(completed.at(-1)!.results).toEqual(
      Object.fromEntries(ALL_FIELDS.map((field) => [field, { place: plane.estate.primaryOf(field) }])),
    );
    expect(begun.every(({ place, partition }) => place === plane.estate.primaryOf(partition))).toBe(true);
  }),
  onEstate('I1', 'some partitions only, and no more jobs at once than may run', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow(), { partitions: '0-2,7,9', atOnce: 2 });
    await plane.until(() => plane.estate.waiting.size > 0);
    expect((await plane.read(ref)).lanes.length).toBeLessThanOrEqual(2);
    await plane.limit(ref, 1);
    await plane.until(async () => (await plane.read(ref)).lanes.length <= 1);
    plane.estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { all: 5, succeeded: 5 } });
    expect(new Set(plane.estate.begun.map(({ partition }) => partition))).toEqual(new Set([0, 1, 2, 7, 9]));
  }),
  onEstate('I1', 'a job follows the primary, and nothing else is held up', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow(), { partitions: '0,1' });
    const [from, to] = [plane.estate.primaryOf(0), plane.estate.primaryOf(1)];
    await plane.until(() => isWaiting(plane, from, 0));
    await plane.move(ref, 0, to);
    await plane.until(() => plane.estate.cleaned.includes(`${from}#0`));
    plane.estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 2, failed: 0 } });
    expect(plane.estate.completed.at(-1)!.results).toMatchObject({ 0: { place: to } });
    // Its progress is of its executor, so the new one has begun anew.
    expect(plane.estate.begun).toContainEqual({ place: to, partition: 0, from: 0 });
  }),
  onEstate('I1', 'a pause lets no job begin, and those that run go on later from where they were', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow());
    await plane.until(() => plane.estate.waiting.size > 0);
    await plane.pause(ref);
    await plane.until(async () => (await plane.read(ref)).lanes.length === 0);
    const begun = plane.estate.begun.length;
    plane.estate.held = false;
    expect(await plane.read(ref)).toMatchObject({ paused: true, phase: 'running' });
    await plane.resume(ref);
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    expect(plane.estate.begun.slice(begun).some(({ from }) => from > 0)).toBe(true);
  }),
  onEstate('I2', 'an executor that starts again goes on from recorded progress', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow(), { partitions: '0' });
    const place = plane.estate.primaryOf(0);
    await plane.until(() => isWaiting(plane, place, 0));
    await plane.restart(place);
    plane.estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    expect(plane.estate.begun.some((each) => each.place === place && each.from > 0)).toBe(true);
    expect(plane.estate.cleaned).toEqual([]);
  }),
  onEstate('I2', 'transferable progress goes along when a job moves', async (plane) => {
    // Of an executor that is taken for dead, nobody hears how far it was.
    plane.calm();
    plane.estate.held = true;
    const ref = await plane.start('inspect', { rows: 4 }, { partitions: '0' });
    await plane.until(() => plane.estate.waiting.size > 0);
    const [{ place: from }] = plane.estate.begun as unknown as [{ place: string }];
    const others = plane.estate.places.filter((each) => each !== from);
    // Where neither the primary nor another replica is at the place any more.
    const to = others.find(
      (place) => plane.estate.places.indexOf(place) === (plane.estate.places.indexOf(from) + 1) % 3,
    )!;
    await plane.move(ref, 0, to);
    await plane.until(() => plane.estate.cleaned.includes(`${from}#0`));
    plane.estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    expect(plane.estate.begun.some((each) => each.place !== from && each.from > 0)).toBe(true);
  }),
  onEstate(
    'I2',
    'a place that was away while another one had a job begins it anew, and tells nothing of yesterday',
    async (plane) => {
      plane.calm();
      plane.estate.held = true;
      const ref = await plane.start(...sow('rye', 6), { partitions: '0' });
      const [away, other] = [plane.estate.primaryOf(0), plane.estate.primaryOf(1)];
      await plane.until(() => isWaiting(plane, away, 0));
      await plane.leave(away);
      await plane.move(ref, 0, other);
      // Nobody cleans up where the executor is away.
      await plane.until(() => isWaiting(plane, other, 0));
      await plane.move(ref, 0, away);
      await plane.until(() => plane.estate.cleaned.includes(`${other}#0`));
      await plane.arrive(away);
      await plane.until(() => plane.estate.begun.at(-1)!.place === away && isWaiting(plane, away, 0));
      expect(plane.estate.cleaned).toContain(`${away}#0`);
      const last = plane.estate.begun.findLastIndex(({ place }) => place === other);
      expect(plane.estate.begun[last + 1]).toEqual({ place: away, partition: 0, from: 0 });
      plane.estate.held = false;
      expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
      expect(plane.estate.completed.at(-1)!.results).toEqual({ 0: { place: away } });
    },
  ),
  onEstate('I2', 'what an operation has left that is gone is cleaned up by executors that start', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow('rye', 100));
    await plane.until(() => plane.estate.waiting.size > 2);
    await plane.end(ref);
    await plane.until(() => plane.estate.waiting.size === 0);
    expect([...plane.estate.unstopped]).toEqual([]);
    for (const place of plane.estate.places) await plane.restart(place);
    await plane.until(async () => (await plane.records()).length === 0);
    expect(plane.estate.completed).toEqual([]);
    plane.estate.held = false;
    // Nobody is in the way any more.
    await plane.until(async () => {
      const started = await plane.start('plough', {}).catch(() => undefined);
      return started !== undefined && (await plane.result(started)).outcome === 'succeeded';
    });
  }),
  onEstate(
    'I3',
    'instances have numbers in order, and a request that comes again gets its first one',
    async (plane) => {
      const crops = ['rye', 'oats', 'wheat'];
      const [...many] = await Promise.all(crops.map((crop) => plane.start(...sow(crop), { requestId: crop })));
      expect(many.map(({ instance }) => instance).sort()).toEqual([1, 2, 3]);
      expect(await plane.start(...sow('oats'), { requestId: 'oats' })).toEqual(many[1]);
      for (const each of many) expect(await plane.result(each)).toMatchObject({ outcome: 'succeeded' });
      const last = await plane.start(...sow());
      expect(last.instance).toBe(4);
      await plane.result(last);
      // A completion runs at least once. I6
      expect(new Set(plane.estate.completed.map((each) => each.instance)).size).toBe(4);
    },
  ),
  onEstate('I4', 'what may not run together is refused, and the one that runs is named', async (plane) => {
    plane.estate.held = true;
    const sowing = await plane.start(...sow());
    for (const [type, argument] of [['plough', {}] as const, sow()])
      expect(await refused(plane.start(type, argument))).toMatchObject({
        code: 'incompatible_operation',
        message: expect.stringContaining(`'sow' of 'rye', instance 1`),
        running: { type: 'sow', object: 'rye', instance: 1 },
      });
    const beside = [await plane.start(...sow('oats')), await plane.start('inspect', {})];
    expect((await plane.running()).map(({ type, object }) => object ?? type).sort()).toEqual([
      'inspect',
      'oats',
      'rye',
    ]);
    plane.estate.held = false;
    for (const each of [sowing, ...beside]) expect(await plane.result(each)).toMatchObject({ outcome: 'succeeded' });
    await plane.until(async () => (await plane.running()).length === 0);
  }),
  onEstate('I4', 'of many that come at once and cannot run together, one starts', async (plane) => {
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => plane.start('plough', {})));
    const started = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(started).toHaveLength(1);
    expect(await plane.result(started[0]!)).toMatchObject({ outcome: 'succeeded' });
  }),
  onEstate('I5', 'a failed job fails the operation, which cleans up first', async (plane) => {
    plane.estate.bad.add(5);
    const ref = await plane.start('inspect', { rows: 2 });
    expect(await plane.result(ref)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('the job of partition 5 has failed: Field 5 is bad.'),
      jobs: { failed: 1 },
    });
    expect(plane.estate.cleaned.some((cleaned) => cleaned.endsWith('#5'))).toBe(true);
    expect(plane.estate.completed.at(-1)).toMatchObject({
      ...{ success: false, outcome: 'failed' },
      results: { 5: { message: 'Field 5 is bad.', details: { stones: 3 } } },
    });
  }),
  onEstate('I5', 'what cannot fail is tried until it is done', async (plane) => {
    plane.estate.stuck.set(3, 2);
    const ref = await plane.start(...sow());
    await plane.until(async () => (await plane.read(ref)).troubles.length > 0 || plane.estate.stuck.get(3)! <= 0);
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: FIELDS, failed: 0 } });
    expect(plane.estate.begun.filter(({ partition }) => partition === 3).length).toBeGreaterThanOrEqual(3);
  }),
  onEstate('I5', 'a cancel ends the jobs and cleans up, and the completion hears of it', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow('rye', 100));
    await plane.until(() => plane.estate.waiting.size > 0);
    await plane.cancel(ref, 'it rains');
    expect(await plane.result(ref)).toMatchObject({ outcome: 'cancelled', reason: 'it rains' });
    expect(plane.estate.completed.at(-1)).toMatchObject({ success: false, outcome: 'cancelled' });
    plane.estate.held = false;
    expect(await plane.start('plough', {}).then((started) => plane.result(started))).toMatchObject({
      outcome: 'succeeded',
    });
  }),
  onEstate(
    'I5',
    'the completion waits for a clean-up that fails, and is shown, until a person says to go on',
    async (plane) => {
      const { estate } = plane;
      estate.held = true;
      for (const place of estate.places) estate.muddy.add(place);
      const ref = await plane.start(...sow('rye', 100));
      await plane.until(() => estate.waiting.size > 0);
      await plane.cancel(ref, 'it rains');
      const failing = async () => (await plane.read(ref)).retries.filter(({ kind }) => kind === 'tidy');
      await plane.until(async () => (await failing()).some(({ attempts }) => attempts >= 3));
      const message = expect.stringMatching(/^Nobody can clean up in the \S*(north|south|west)\.$/);
      expect(await failing()).toContainEqual(expect.objectContaining({ place: expect.any(String), message }));
      expect(estate.completed).toEqual([]);
      await plane.until(async () => {
        if ((await failing()).length > 0) await plane.proceed(ref);
        return (await plane.read(ref)).phase === 'ended';
      });
      expect(await plane.result(ref)).toMatchObject({ outcome: 'cancelled' });
      estate.muddy.clear();
      // An executor that starts cleans up what was left at its place.
      for (const place of estate.places) await plane.restart(place);
    },
  ),
  onEstate('S5.1', 'the store is told of each job, and of each of its attempts', async (plane) => {
    plane.calm();
    plane.estate.stuck.set(3, 2);
    const ref = await plane.start(...sow('rye', 2));
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    const usual = (field: number) => [[plane.estate.primaryOf(field), 'success', 'succeeded']];
    const stuck = [plane.estate.primaryOf(3), 'failed', 'waiting'];
    await plane.until(() => jobsTold(plane).size === FIELDS);
    expect(jobsTold(plane)).toEqual(
      new Map(ALL_FIELDS.map((field) => [`${field}`, [...(field === 3 ? [stuck, stuck] : []), ...usual(field)]])),
    );
  }),
  onEstate('I5', 'a person retries a job that has failed, and moves another one', async (plane) => {
    plane.calm();
    const { estate } = plane;
    estate.held = true;
    estate.bad.add(5);
    const ref = await plane.start('survey', {}, { atOnce: FIELDS });
    await plane.until(async () => (await plane.read(ref)).jobs.failed === 1);
    estate.bad.delete(5);
    await plane.retryJob(ref, 5);
    await plane.until(() => isWaiting(plane, estate.secondaryOf(5), 5));
    await plane.until(() => isWaiting(plane, estate.secondaryOf(2), 2));
    await plane.moveJob(ref, 2, estate.primaryOf(2));
    await plane.until(() => isWaiting(plane, estate.primaryOf(2), 2));
    estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: FIELDS, failed: 0 } });
    await plane.until(() => jobsTold(plane).size === FIELDS + 1);
    const told = jobsTold(plane);
    // The failed job has ended, and the store has another one with the same partition.
    expect(told.get('5')).toEqual([[estate.secondaryOf(5), 'error', 'failed']]);
    expect(told.get('5/1')).toEqual([[estate.secondaryOf(5), 'success', 'succeeded']]);
    expect(told.get('2')).toEqual([
      [estate.secondaryOf(2), 'aborted', 'waiting'],
      [estate.primaryOf(2), 'success', 'succeeded'],
    ]);
  }),
  onEstate('I6', 'a completion that throws is run again, and starts what follows once', async (plane) => {
    plane.estate.throwing = 2;
    plane.estate.followUp = true;
    const ref = await plane.start(...sow('rye', 1));
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    const next = { target: plane.target, type: 'inspect', instance: 1 };
    await plane.until(() => plane.estate.completed.some(({ instance }) => instance === nameOf(next)));
    expect(await plane.result(next)).toMatchObject({ outcome: 'succeeded' });
    await plane.until(async () => (await plane.running()).length === 0);
    // The number tells how many there were.
    const last = await plane.start('inspect', {});
    expect(last.instance).toBe(2);
    await plane.result(last);
  }),
  onEstate('I6', 'a coordinator that begins anew knows what is under way from its data', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start(...sow());
    await plane.until(() => plane.estate.waiting.size > 0);
    await plane.renew(ref);
    plane.estate.held = false;
    await plane.renew(ref);
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: FIELDS } });
    expect(new Set(plane.estate.completed.map(({ instance }) => instance))).toEqual(new Set([nameOf(ref)]));
  }),
  onEstate('I7', 'what was made where the primary was is made again where it is at the end', async (plane) => {
    plane.estate.held = true;
    const ref = await plane.start('fence', {});
    const from = plane.estate.primaryOf(0);
    await plane.until(() => plane.estate.fences.has(`${from}#0`));
    await plane.move(ref, 0, plane.estate.primaryOf(1));
    plane.estate.held = false;
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: FIELDS } });
    const { fences } = plane.estate;
    for (const field of ALL_FIELDS) expect(fences).toContain(`${plane.estate.primaryOf(field)}#${field}`);
  }),
  onEstate('I7', 'all that is wrong is found and named, and the primaries are spared', async (plane) => {
    for (const field of [2, 5, 9]) plane.estate.bad.add(field);
    const ref = await plane.start('survey', {});
    expect(await plane.result(ref)).toMatchObject({
      outcome: 'failed',
      reason: 'There are stones in the fields 2, 5, 9.',
      jobs: { succeeded: 9, failed: 3 },
    });
    expect(plane.estate.begun.every(({ place, partition }) => place === plane.estate.secondaryOf(partition))).toBe(
      true,
    );
  }),
  onEstate('I8', 'a request id that was used with other content is refused, and nothing is begun', async (plane) => {
    const requestId = `${plane.target} once`;
    const ref = await plane.start(...sow(), { requestId });
    const others = [sow('oats'), ['sow', { crop: 7 }], ['plough', {}]] as const;
    const mustConflict = async () => {
      for (const [type, argument] of others)
        expect(await refused(plane.start(type, argument, { requestId }))).toMatchObject({ code: 'request_conflict' });
      expect(await refused(plane.start(...sow(), { requestId, partitions: '0' }))).toMatchObject({
        code: 'request_conflict',
      });
      expect(await plane.start(...sow(), { requestId })).toEqual(ref);
    };
    await mustConflict();
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
    await mustConflict();
    expect(new Set(plane.estate.completed.map(({ instance }) => instance))).toEqual(new Set([nameOf(ref)]));
  }),
  onEstate('I8', 'a start gives a number, or says why it was not begun; then nothing is left', async (plane) => {
    expect(await refused(plane.start('mow', {}))).toMatchObject({
      code: 'unknown_operation_type',
      message: expect.stringContaining('fence, inspect, plough, sow, survey'),
    });
    expect(await refused(plane.start('sow', { crop: 7 }))).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('crop: '),
    });
    expect(await refused(plane.start(...sow('weeds')))).toMatchObject({ code: 'no_seed' });
    expect(await plane.running()).toEqual([]);
    const ref = await plane.start('plough', {});
    expect(ref).toEqual({ target: plane.target, type: 'plough', instance: 1 });
    expect(await plane.result(ref)).toMatchObject({ outcome: 'succeeded' });
  }),
];

function isWaiting({ estate }: EstatePlane, place: string, field: number): boolean {
  return [...estate.waiting].some((key) => key.endsWith(` ${place}#${field}`));
}

/** The jobs that the store was told of, by partition and round: where each attempt was, and how it has ended. Those that resume later are left out. S5.1 */
function jobsTold(plane: EstatePlane): ReadonlyMap<string, readonly (readonly string[])[]> {
  const jobs = new Map<string, (readonly string[])[]>();
  const seen = new Set<string>();
  for (const record of plane.told())
    for (const row of rowsOfJobs(record)) {
      if (row.kind !== 'transition') continue;
      const { entity, version, action = '', outcome = '', endState, error } = row;
      // An executor that does not answer in time is taken for lost, and the attempt that follows is another one.
      const isIncident = error?.kind === 'retryable' && error.code === 'executor_lost';
      const resumes = outcome === 'success' && endState === 'waiting';
      const attempt = `${entity.life}#${version}`;
      if (seen.has(attempt) || resumes || isIncident) continue;
      seen.add(attempt);
      // The life of a job begins with that of its instance.
      const job = entity.life.slice(record.life.length + 1);
      jobs.set(job, [...(jobs.get(job) ?? []), [action, outcome, endState]]);
    }
  return jobs;
}
