import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StartRefused } from '../../src/client/distributed.js';
import { nameOf } from '../../src/distributed/index.js';
import {
  coordinatorWorkflowId,
  distributedWorkflowId,
  ENDED_SIGNAL,
  START_UPDATE,
} from '../../src/protocol/distributed-names.js';
import { servedFarms, startFarmExecutor } from '../support/farm-service.js';
import { Farm } from '../support/harvest.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
/** Each test has a farm of its own, under the name of the target. */
const farms = new Map<string, Farm>();
let farm: Farm;
let target: string;
let count = 0;
/** The executors that run, with what stops them. */
const running = new Map<string, () => Promise<void>>();

function startExecutor(place: string): void {
  running.set(place, startFarmExecutor(service, farm, place));
}

async function stopExecutor(place: string): Promise<void> {
  await running.get(place)?.();
  running.delete(place);
}

/** A farm with executors at places of its own. */
async function begin(fields: number): Promise<void> {
  for (const place of running.keys()) await stopExecutor(place);
  target = `farm${++count}`;
  farm = new Farm(
    fields,
    ['north', 'south', 'west'].map((place) => `${place}${count}`),
  );
  farms.set(target, farm);
  for (const place of farm.places) startExecutor(place);
}

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/harvest-workflows.ts',
    declarations: ['entities/harvest.ts'],
    entities: [],
    resources: [],
    distributed: servedFarms(farms),
  });
});
afterAll(async () => {
  for (const place of running.keys()) await stopExecutor(place);
  await service.close();
});

const distributed = () => service.reeve.distributed;

describe('operations over partitions, on Temporal', () => {
  beforeEach(() => begin(12));

  it('do each job once, where the primary of its partition is, and count their instances (I1, I3, I8)', async () => {
    const first = await distributed().start('sow', target, { crop: 'rye' });
    expect(first).toEqual({ target, type: 'sow', instance: 1 });
    expect(await distributed().result(first)).toMatchObject({
      outcome: 'succeeded',
      jobs: { all: 12, succeeded: 12, failed: 0 },
    });
    expect(
      farm.begun.map(({ place, partition }) => [partition, place]).sort(([a], [b]) => Number(a) - Number(b)),
    ).toEqual(Array.from({ length: 12 }, (_, field) => [field, farm.primaryOf(field)]));
    expect(farm.completed).toMatchObject([
      { success: true, instance: nameOf(first), results: { 3: { place: farm.primaryOf(3) } } },
    ]);
    for (const ledger of farm.ledgers.values()) expect(await ledger.records()).toEqual([]);

    const second = await distributed().start('sow', target, { crop: 'rye' }, { partitions: '0-2,7' });
    expect(second.instance).toBe(2);
    expect(await distributed().result(second)).toMatchObject({ jobs: { all: 4, succeeded: 4 } });
    expect(await distributed().read(second)).toMatchObject({ phase: 'ended', done: 1 });
    await until(async () => {
      const { rows } = await distributed().list({ rows: 10 }, target);
      expect(rows.map(({ name, state, outcome }) => [name, state, outcome]).sort()).toEqual([
        [`${target}/sow/1`, 'ended', 'succeeded'],
        [`${target}/sow/2`, 'ended', 'succeeded'],
      ]);
    });
  });

  it('go on where somebody sends to their coordinator what it cannot read (S1.5a)', async () => {
    farm.held = true;
    const runs = await distributed().start('sow', target, { crop: 'rye' });
    const coordinator = service.client.workflow.getHandle(coordinatorWorkflowId(target));
    for (const ended of [null, {}, { ...runs, starts: 7 }, { ...runs, starts: [null] }])
      await coordinator.signal(ENDED_SIGNAL, ended);
    for (const request of [
      null,
      { request: 'r' },
      { request: 'r', type: 'sow', argument: { crop: 'rye' }, partitions: 7 },
    ]) {
      await expect(coordinator.executeUpdate(START_UPDATE, { args: [request] })).rejects.toMatchObject({
        cause: { type: 'invalid_request', message: expect.stringMatching(/^This starts nothing: /) as string },
      });
    }
    farm.held = false;
    expect(await distributed().result(runs)).toMatchObject({ outcome: 'succeeded' });
    expect((await distributed().start('sow', target, { crop: 'oats' })).instance).toBe(2);
    const { events } = await coordinator.fetchHistory();
    expect(events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  });

  it('show that no executor of a place takes a job, until its partition moves (I1, I5)', async () => {
    farm.held = true;
    const ref = await distributed().start('inspect', target, { rows: 2 }, { partitions: '0' });
    await until(async () => expect(farm.waiting.size).toBe(1));
    const [north] = farm.places;
    // The primary alone has a replica here, so its job has no other place.
    await expect(distributed().moveJob(ref, 0, farm.places[1]!)).rejects.toMatchObject({ code: 'place_not_eligible' });
    await distributed().pause(ref);
    await until(async () => expect((await distributed().read(ref)).lanes).toEqual([]));
    await stopExecutor(north!);
    await distributed().resume(ref);
    await until(async () => {
      expect((await distributed().read(ref)).blocked).toMatchObject([
        {
          kind: 'executor',
          place: north,
          partitions: '0',
          message: expect.stringContaining(`No executor of ${north}`),
        },
      ]);
    });
    farm.move(0, farm.places[1]!);
    await distributed().look(ref);
    farm.held = false;
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded' });
  });

  it('are refused with the reason, and then nothing is left (I4, I8)', async () => {
    const refused = async (type: string, on: string, argument: unknown, options = {}) => {
      const thrown: unknown = await distributed()
        .start(type, on, argument, options)
        .catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(StartRefused);
      const { code, message, running: inTheWay } = thrown as StartRefused;
      return { code, message, inTheWay };
    };
    expect(await refused('mow', target, {})).toMatchObject({
      code: 'unknown_operation_type',
      message: expect.stringContaining('inspect, plough, sow'),
    });
    expect(await refused('sow', target, { crop: 7 })).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('crop: '),
    });
    expect(await refused('sow', 'nowhere', { crop: 'rye' })).toMatchObject({ code: 'unknown_target' });
    expect(await refused('sow', target, { crop: 'rye' }, { partitions: '3,99' })).toMatchObject({
      code: 'unknown_partition',
      message: expect.stringContaining('99'),
    });
    expect(await refused('sow', target, { crop: 'weeds' })).toMatchObject({ code: 'no_seed' });
    for (const on of [target, 'nowhere']) {
      const { status } = await service.environment.client.workflow.getHandle(coordinatorWorkflowId(on)).describe();
      expect(status.name).toBe('COMPLETED');
    }

    farm.held = true;
    const sowing = await distributed().start('sow', target, { crop: 'rye' });
    expect(await refused('plough', target, {})).toMatchObject({
      code: 'incompatible_operation',
      inTheWay: { type: 'sow', object: 'rye', instance: 1 },
    });
    expect(await refused('sow', target, { crop: 'rye' })).toMatchObject({ code: 'incompatible_operation' });
    const [oats, look] = await Promise.all([
      distributed().start('sow', target, { crop: 'oats' }),
      distributed().start('inspect', target, {}),
    ]);
    farm.held = false;
    for (const each of [sowing, oats, look])
      expect(await distributed().result(each)).toMatchObject({ outcome: 'succeeded' });
    // Of many that cannot run together and come at once, one is taken.
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => distributed().start('plough', target, {})));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('take a request that comes again for the same (S2.5)', async () => {
    const ask = () => distributed().start('sow', target, { crop: 'rye' }, { requestId: `again-${target}` });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one).toEqual(other);
    expect(await distributed().result(one)).toMatchObject({ outcome: 'succeeded' });
    expect(await ask()).toEqual(one);
    expect(farm.completed).toHaveLength(1);
  });

  it('pause, are limited, and go on from where they were (I2, I5)', async () => {
    const ROWS = 200;
    farm.rowMs = 100;
    // No job ends by itself before it hears of the pause, however busy the machine is.
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: ROWS });
    await until(async () => expect(farm.rowTimes.length).toBeGreaterThan(8));
    await until(async () => {
      const { lanes, done, estimatedEnd } = await distributed().read(ref);
      expect(lanes[0]).toMatchObject({ partition: expect.any(Number), progress: { total: ROWS } });
      expect(done).toBeGreaterThan(0);
      expect(estimatedEnd).toBeGreaterThan(Date.now());
    });
    expect(await distributed().pause(ref)).toMatchObject({ paused: true });
    await until(async () => expect((await distributed().read(ref)).lanes).toEqual([]));
    const before = farm.rowTimes.length;
    expect(await distributed().limit(ref, { atOnce: 1 })).toMatchObject({ atOnce: 1 });
    await distributed().resume(ref);
    await until(async () => expect(farm.rowTimes.length).toBeGreaterThan(before + 3));
    expect((await distributed().read(ref)).lanes).toHaveLength(1);
    farm.rowMs = 1;
    await distributed().limit(ref, { atOnce: 8 });
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 12 } });
    expect(farm.begun.some(({ from }) => from > 0)).toBe(true);
    // No row was done twice, except the one at hand when a job stopped.
    expect(farm.rowTimes.length).toBeLessThan(12 * ROWS + 12);
    const ended = await distributed()
      .pause(ref)
      .catch((thrown: unknown) => thrown);
    expect(ended).toMatchObject({ code: 'absent' });
  });

  it('stop and clean up when they are cancelled, and complete without success (I5, I6)', async () => {
    farm.rowMs = 100;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 1_000 });
    await until(async () => expect(farm.rows.size).toBeGreaterThan(3));
    await distributed().cancel(ref, 'it rains');
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'cancelled', reason: 'it rains' });
    expect(farm.completed).toMatchObject([{ success: false, outcome: 'cancelled' }]);
    expect([...farm.rows]).toEqual([]);
    for (const ledger of farm.ledgers.values()) expect(await ledger.records()).toEqual([]);
    expect(await distributed().start('plough', target, {})).toMatchObject({ instance: 1 });
  });

  it('fail when a job fails, after the clean-up of the others (I5)', async () => {
    farm.bad.add(5);
    const ref = await distributed().start('inspect', target, { rows: 2 });
    expect(await distributed().result(ref)).toMatchObject({
      outcome: 'failed',
      reason: 'the job of partition 5 has failed: Field 5 is bad.',
      jobs: { failed: 1 },
    });
    expect(farm.completed).toMatchObject([
      { success: false, results: { 5: { message: 'Field 5 is bad.', details: { stones: 3 } } } },
    ]);
    expect([...farm.rows]).toEqual([]);
  });

  it('complete again when that throws, and start what follows once (I6)', async () => {
    farm.throwing = 2;
    farm.followUp = true;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 1 });
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded' });
    await until(async () => expect(farm.completed).toHaveLength(2));
    expect(await distributed().result({ target, type: 'inspect', instance: 1 })).toMatchObject({
      outcome: 'succeeded',
    });
    await expect(distributed().read({ target, type: 'inspect', instance: 2 })).rejects.toMatchObject({
      code: 'absent',
    });
  });

  it('tell what a completion wanted to start and could not (I4, I6)', async () => {
    farm.followUp = true;
    farm.held = true;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 2 });
    await distributed().start('inspect', target, { rows: 300 });
    expect((await distributed().target(target)).running).toContainEqual({ type: 'inspect', instance: 1 });
    farm.rowMs = 1_000;
    farm.held = false;
    await distributed().result(ref);
    await until(async () =>
      expect((await distributed().target(target)).refused).toMatchObject([
        { by: 'sow/1', type: 'inspect', code: 'incompatible_operation' },
      ]),
    );
    farm.rowMs = 0;
    expect(await distributed().result({ target, type: 'inspect', instance: 1 })).toMatchObject({
      outcome: 'succeeded',
    });
    expect(await distributed().target('nowhere')).toEqual({ running: [], refused: [] });
  });

  it('follow a partition that moves: cleaned up there, done here (I1)', async () => {
    farm.held = true;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 40 });
    await until(async () => expect(farm.begun.some(({ partition }) => partition === 0)).toBe(true));
    const [from, to] = [farm.primaryOf(0), farm.primaryOf(1)];
    farm.move(0, to);
    await distributed().look(ref);
    await until(async () => expect(farm.cleaned).toContain(`${from}#0`));
    farm.held = false;
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded' });
    expect(farm.completed[0]!.results).toMatchObject({ 0: { place: to } });
    expect([...farm.rows]).toEqual([]);
  });

  it('go on from the progress that was recorded when an executor is restarted (I2)', async () => {
    farm.held = true;
    const [place] = farm.places as [string];
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 40 });
    await until(async () => expect(farm.rows.size).toBeGreaterThan(3));
    await stopExecutor(place);
    startExecutor(place);
    farm.held = false;
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded' });
    const resumed = farm.begun.filter((each) => each.place === place && each.from > 0);
    expect(resumed.length).toBeGreaterThan(0);
    expect(farm.cleaned).toEqual([]);
  });

  it('leave nothing when the workflow is ended by force: the next start is taken, and executors clean up (I2, I4)', async () => {
    farm.rowMs = 50;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 1_000 });
    await until(async () => expect(farm.rows.size).toBeGreaterThan(3));
    await service.environment.client.workflow.getHandle(distributedWorkflowId(nameOf(ref))).terminate();
    await expect(distributed().result(ref)).rejects.toMatchObject({ code: 'terminated' });
    farm.rowMs = 0;
    const next = await distributed().start('plough', target, {});
    expect(await distributed().result(next)).toMatchObject({ outcome: 'succeeded' });
    for (const place of farm.places) {
      await stopExecutor(place);
      startExecutor(place);
    }
    await until(async () => {
      expect([...farm.rows]).toEqual([]);
      for (const ledger of farm.ledgers.values()) expect(await ledger.records()).toEqual([]);
    });
  });

  it('are numbered anew where the coordinator was ended by force (I3)', async () => {
    const start = () => distributed().start('plough', target, {});
    await distributed().result(await start());
    await distributed().result(await start());
    await service.environment.client.workflow.getHandle(coordinatorWorkflowId(target)).terminate();
    const third = await start();
    expect(third.instance).toBe(3);
    expect(await distributed().result(third)).toMatchObject({ outcome: 'succeeded' });
    expect(farm.completed).toHaveLength(3);
  });

  it('keep others away whose coordinator was ended by force while they run (I4)', async () => {
    farm.held = true;
    const sowing = await distributed().start('sow', target, { crop: 'rye', rows: 100 });
    await until(async () => expect((await distributed().list({ rows: 10 }, target)).rows).toHaveLength(1));
    await service.environment.client.workflow.getHandle(coordinatorWorkflowId(target)).terminate();
    await expect(distributed().start('plough', target, {})).rejects.toMatchObject({
      ...{ code: 'incompatible_operation', running: { type: 'sow', object: 'rye', instance: 1 } },
    });
    await expect(distributed().start('sow', target, { crop: 'rye' })).rejects.toBeInstanceOf(StartRefused);
    farm.held = false;
    expect(await distributed().result(sowing)).toMatchObject({ outcome: 'succeeded' });
    await until(async () => expect((await distributed().target(target)).running).toEqual([]));
    expect(await distributed().start('sow', target, { crop: 'rye' })).toMatchObject({ instance: 2 });
  });

  it('go on in a new run, and with another worker, in the middle of their work (I3)', async () => {
    farm.rowMs = 1_000;
    // No job ends by itself before the new run, however busy the machine is.
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 300 });
    await until(async () => expect(farm.rows.size).toBeGreaterThan(3));
    const handle = service.environment.client.workflow.getHandle(distributedWorkflowId(nameOf(ref)));
    const { runId } = await handle.describe();
    await service.stopWorker();
    // The executors do not need the workers.
    const before = farm.rowTimes.length;
    await until(async () => expect(farm.rowTimes.length).toBeGreaterThan(before + 8));
    await service.startWorker();
    await until(async () => {
      await Promise.all(Array.from({ length: 50 }, () => distributed().look(ref)));
      // It has taken them. A run to which something always comes does not end.
      await distributed().read(ref);
      expect((await handle.describe()).runId).not.toBe(runId);
    }, 180_000);
    farm.rowMs = 0;
    expect(await distributed().result(ref)).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 12 } });
    expect(farm.completed).toHaveLength(1);
    expect(farm.rowTimes.length).toBeLessThan(12 * 300 + 24);
    await until(async () => {
      const { rows } = await distributed().list({ rows: 10 }, target);
      expect(rows).toMatchObject([{ name: nameOf(ref), state: 'ended', outcome: 'succeeded' }]);
    });
  });

  it('decide the same when their histories are replayed (L7)', async () => {
    farm.held = true;
    const ref = await distributed().start('sow', target, { crop: 'rye', rows: 20 });
    await until(async () => expect(farm.rows.size).toBeGreaterThan(3));
    farm.move(0, farm.primaryOf(1));
    await distributed().pause(ref);
    await distributed().resume(ref);
    farm.held = false;
    await distributed().result(ref);
    const { client } = service.environment;
    for (const id of [distributedWorkflowId(nameOf(ref)), coordinatorWorkflowId(target)]) {
      const history = await client.workflow.getHandle(id).fetchHistory();
      await Worker.runReplayHistory({ workflowBundle: service.workflowBundle }, history, id);
    }
  });
});
