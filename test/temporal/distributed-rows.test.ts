import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { nameOf, newCoordinator, type InstanceRef } from '../../src/distributed/index.js';
import {
  coordinatorWorkflowId,
  COORDINATOR_TYPE,
  distributedWorkflowId,
} from '../../src/protocol/distributed-names.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { requestOn } from '../../src/protocol/request-id.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { createApplication } from '../../src/service/application.js';
import { startService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { replayRecords } from '../../src/temporal/replay-records.js';
import type { RecordKeeper } from '../../src/temporal/record-keeper.js';
import { useMortalServer, type TestStore } from '../store/server.js';
import { ask } from '../support/management.js';
import { servedFarms, startFarmExecutor } from '../support/farm-service.js';
import { Farm } from '../support/harvest.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

vi.setConfig({ testTimeout: 60_000 });
const server = useMortalServer();
let service: TestService;
/** The store of the test that runs. */
let store: TestStore;
const farms = new Map<string, Farm>();
let farm: Farm;
let target: string;
let count = 0;
const running = new Map<string, () => Promise<void>>();

const records: RecordKeeper = {
  offer: (offered) => store.writer.offer(offered),
  resume: (resumption) => store.writer.resume(resumption),
  confirm: (names) => store.writer.confirm(names),
  keep: (kept: readonly StoreRecord[]) => store.writer.keep(kept),
  recall: (question) => store.writer.recall(question),
};

function startExecutor(place: string): void {
  running.set(place, startFarmExecutor(service, farm, place));
}

async function stopExecutors(): Promise<void> {
  for (const [place, stop] of running) {
    await stop();
    running.delete(place);
  }
}

async function begin(fields: number): Promise<void> {
  await stopExecutors();
  target = `acre${++count}`;
  farm = new Farm(
    fields,
    ['north', 'south'].map((place) => `${place}-of-${target}`),
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
    records,
    distributed: servedFarms(farms),
  });
});
afterAll(async () => {
  await stopExecutors();
  await service.close();
});
beforeEach(async () => {
  store = await server.store();
});

const distributed = () => service.reeve.distributed;
const operation = async (request: string) =>
  (await store.reader.selectFrom('operations').selectAll().where('request_id', '=', request).execute())[0];
const jobs = async (request: string) =>
  store.query(
    `select * from reeve.state_machine_events where request_id = $1 and workflow_position <> '1'
      order by split_part(workflow_position, '.', 2)::integer`,
    [request],
  );
const attempts = async (request: string) =>
  store.query(
    `select e.keys, t.* from reeve.state_machine_transitions t join reeve.state_machine_events e on e.event_id = t.event_id
      where e.request_id = $1 order by e.workflow_position, t.transition_ordinal`,
    [request],
  );

/** All that ran, as the rows have it, once they are there. */
async function rowsOf(requestId: string, ref: InstanceRef) {
  const request = requestOn(target, requestId);
  await until(async () => expect((await operation(request))?.workflow_end_time).toBeTruthy());
  await until(async () => {
    const { status } = await service.client.workflow.getHandle(distributedWorkflowId(nameOf(ref))).describe();
    expect(status.name).toBe('COMPLETED');
  });
  return { operation: await operation(request), jobs: await jobs(request), attempts: await attempts(request) };
}

describe('the rows of operations over partitions (S5.1, S5.2, A4)', () => {
  it('are an operation, an event for each job, and a transition for each attempt, which lead to its instance (S5.1, S5.6, A4)', async () => {
    await begin(12);
    farm.stuck.set(3, 2);
    const ref = await distributed().start('sow', target, { crop: 'rye' }, { requestId: `${target}-sow` });
    await distributed().result(ref);
    const rows = await rowsOf(`${target}-sow`, ref);
    expect(rows.operation).toMatchObject({ name: `sow distributed/${target}`, outcome: 'success', restart_count: 0 });
    const leadTo = await store.query(
      `select distinct workflow_id from reeve.executions x join reeve.state_machine_events e on e.event_id = x.id
        where x.level = 'event' and e.request_id = $1`,
      [requestOn(target, `${target}-sow`)],
    );
    expect(leadTo).toEqual([{ workflow_id: distributedWorkflowId(nameOf(ref)) }]);
    expect(rows.jobs).toHaveLength(12);
    expect(rows.jobs[3]).toMatchObject({
      ...{ state_machine_type: 'sow', event: 'job', keys: `${target}/1/3`, workflow_position: '1.4' },
      ...{ start_state: 'waiting', end_state: 'succeeded', error_reported: true },
    });
    expect(rows.attempts.filter(({ keys }) => keys !== `${target}/1/3`)).toHaveLength(11);
    expect(rows.attempts.filter(({ keys }) => keys === `${target}/1/3`)).toMatchObject([
      {
        transition_ordinal: 1,
        retry_count: 0,
        outcome: 'failed',
        end_state: 'waiting',
        action_name: farm.primaryOf(3),
      },
      { transition_ordinal: 2, retry_count: 1, outcome: 'failed' },
      { transition_ordinal: 3, retry_count: 2, outcome: 'success', end_state: 'succeeded', error_id: null },
    ]);
    expect(rows.attempts).toHaveLength(farm.begun.length);
    expect(await store.gaps()).toEqual([]);
    const causes = await store.query('select * from reeve.transition_causes where dimension is null');
    expect(causes).toMatchObject([
      { name: `sow.${farm.primaryOf(3)}`, error_details: 'attempt_failed: The tractor is stuck.', total: '2' },
    ]);
    expect(
      await store.query(`select name, total, succeeded from reeve.operation_rollup where dimension is null`),
    ).toEqual([{ name: 'sow distributed', total: '1', succeeded: '1' }]);
    // Each attempt is a change in the feed. A6
    const fed = await store.query(`select entity_key, version from reeve.changes where entity_type = 'sow'`);
    expect(fed).toHaveLength(rows.attempts.length);
    const [execution] = await store.query(`select workflow_id from reeve.executions where level = 'operation'`);
    expect(execution).toEqual({ workflow_id: distributedWorkflowId(nameOf(ref)) });
  });

  it('tell of a failure with its cause (S5.1, S5.5, I5)', async () => {
    await begin(8);
    farm.bad.add(5);
    const ref = await distributed().start('inspect', target, { rows: 2 }, { requestId: `${target}-inspect` });
    await distributed().result(ref);
    const rows = await rowsOf(`${target}-inspect`, ref);
    expect(rows.operation).toMatchObject({ outcome: 'failed' });
    const [error] = await store.query('select error_details from reeve.workflow_errors where error_id = $1', [
      rows.operation!.error_id,
    ]);
    expect(error).toEqual({ error_details: 'job_failed: Field 5 is bad.' });
    expect(rows.jobs.filter(({ end_state }) => end_state === null)).toEqual([]);
    expect(rows.jobs.find(({ keys }) => keys === `${target}/1/5`)).toMatchObject({
      ...{ end_state: 'failed', error_end_state: true, error_reported: true },
    });
  });

  it('tell of the jobs that a cancel has cut short (S5.1, I5)', async () => {
    await begin(8);
    farm.held = true;
    const ref = await distributed().start(
      'sow',
      target,
      { crop: 'rye', rows: 2 },
      { requestId: `${target}-sow`, atOnce: 8 },
    );
    await until(async () => expect(farm.waiting.size).toBe(8));
    await distributed().cancel(ref, 'it rains');
    await distributed().result(ref);
    const rows = await rowsOf(`${target}-sow`, ref);
    expect(rows.operation).toMatchObject({ outcome: 'canceled', error_id: null });
    expect(rows.jobs.map(({ end_state }) => end_state)).toEqual(Array(8).fill('cancelled'));
    expect(rows.attempts.map(({ outcome }) => outcome)).toEqual(Array(8).fill('aborted'));
    const [counted] = await store.query(
      `select total, canceled from reeve.event_rollup where name = 'sow.job' and dimension is null`,
    );
    expect(counted).toEqual({ total: '8', canceled: '8' });
  });

  it('tell of a clean-up that fails while it fails (S5.2, I5)', async () => {
    await begin(4);
    farm.held = true;
    const ref = await distributed().start(
      'sow',
      target,
      { crop: 'rye', rows: 2 },
      { requestId: `${target}-sow`, atOnce: 4 },
    );
    await until(async () => expect(farm.waiting.size).toBe(4));
    const [muddy] = farm.places;
    farm.muddy.add(muddy!);
    await distributed().cancel(ref, 'it rains');
    await until(async () => {
      expect(await store.query('select reading from reeve.distributed_operations')).toMatchObject([
        { reading: { retries: [{ kind: 'tidy', place: muddy }] } },
      ]);
    });
    farm.muddy.clear();
    await distributed().result(ref);
  });

  it('tell of it while no worker answers, and when Temporal has it no longer (S5.2, S4.7)', async () => {
    await begin(4);
    const settings = { answerMs: 2_000, lookMs: [20, 100] } as const;
    const log = pino({ level: 'silent' });
    const recall = (question: Parameters<RecordKeeper['recall']>[0]) => store.writer.recall(question);
    const types = farm.logics.map(({ operation: type }) => type);
    const reeve = new ReeveClient({ client: service.client, entities: [], distributed: types, recall });
    const api = await startService(
      createApplication({ reeve, modules: [], log, settings, store: serviceStore(store) }),
    );
    onTestFinished(() => api.stop());
    const request = { type: 'sow', target, argument: { crop: 'rye' } };
    const sent = { json: request, headers: { 'idempotency-key': target, prefer: 'wait=20' } };
    const { status, body } = await ask(api, 'POST', '/api/distributed', sent);
    expect([status, body['outcome']]).toEqual([200, 'success']);
    const id = String(body['request_id']);
    const ref = { target, type: 'sow', instance: 1 };
    await rowsOf(id, ref);
    const one = `/api/distributed/${encodeURIComponent(nameOf(ref))}`;
    const read = async () => {
      expect(await ask(api, 'GET', one)).toMatchObject({
        ...{ status: 200, body: { state: 'ended', outcome: 'succeeded', done: 1, jobs: { all: 4, succeeded: 4 } } },
      });
      const operation = await ask(api, 'GET', `/api/operations/${encodeURIComponent(id)}`);
      expect(operation).toMatchObject({ status: 200, body: { outcome: 'success', name: `sow distributed/${target}` } });
      const { body: listed } = await ask(api, 'GET', `/api/distributed?target=${target}`);
      expect(listed['value']).toMatchObject([{ name: nameOf(ref), state: 'ended', outcome: 'succeeded' }]);
    };
    await read();

    farm.held = true;
    const held = await reeve.distributed.start('sow', target, { crop: 'oats', rows: 2 });
    const heldAt = `/api/distributed/${encodeURIComponent(nameOf(held))}`;
    await until(async () => expect(await store.query('select from reeve.distributed_operations')).toHaveLength(2));
    await service.stopWorker();
    await until(async () => {
      expect(await ask(api, 'GET', heldAt)).toMatchObject({ status: 200, body: { stale: true, state: 'running' } });
    });
    await service.startWorker();
    farm.held = false;
    await reeve.distributed.result(held);

    const { workflowService } = service.client;
    for (const workflowId of [distributedWorkflowId(nameOf(ref))]) {
      const workflowExecution = { workflowId };
      await workflowService.deleteWorkflowExecution({ namespace: service.namespace, workflowExecution });
      await until(async () => {
        await expect(service.client.workflow.getHandle(workflowId).describe()).rejects.toThrow('not found');
      });
    }
    expect(await ask(api, 'GET', one)).toMatchObject({ body: { stale: true, outcome: 'succeeded' } });
    expect(await ask(api, 'GET', `/api/operations/${encodeURIComponent(id)}`)).toMatchObject({
      ...{ status: 200, body: { outcome: 'success', stale: true } },
    });
  });

  it('are two operations where the same request id starts one on each of two targets (S2.5, S5.1)', async () => {
    const started: (readonly [string, InstanceRef])[] = [];
    for (let time = 0; time < 2; time++) {
      await begin(2);
      const ref = await distributed().start('sow', target, { crop: 'rye' }, { requestId: `spring ${count - time}` });
      await distributed().result(ref);
      started.push([requestOn(target, `spring ${count - time}`), ref]);
    }
    for (const [id, ref] of started) {
      await until(async () => {
        expect(await operation(id)).toMatchObject({ name: `sow distributed/${ref.target}`, outcome: 'success' });
      });
      expect((await distributed().started(id, ref.target)).ref).toEqual(ref);
    }
  });

  it('are written again from the histories that Temporal has (S5.2)', async () => {
    await begin(6);
    farm.stuck.set(3, 1);
    const ref = await distributed().start('sow', target, { crop: 'rye' }, { requestId: `${target}-sow` });
    await distributed().result(ref);
    const before = await rowsOf(`${target}-sow`, ref);
    const replayed: StoreRecord[] = [];
    const { client, workflowBundle } = service;
    for await (const run of replayRecords(client, workflowBundle, { entities: [], taskQueue: DEFAULT_TASK_QUEUE }))
      if (run.workflowId === distributedWorkflowId(nameOf(ref))) replayed.push(...run.records);
    store = await server.store();
    await store.writer.keep(replayed);
    const after = await rowsOf(`${target}-sow`, ref);
    const told = ({ jobs: events, attempts: tries }: typeof before) => [
      events.map(({ keys, end_state }) => [keys, end_state]),
      tries.map(({ keys, outcome, action_name, transition_time }) => [keys, outcome, action_name, transition_time]),
    ];
    expect(told(after)).toEqual(told(before));
    expect(after.operation).toMatchObject({ outcome: 'success' });
  });

  it('tell a coordinator of the starts that it has forgotten (S2.5, I8)', async () => {
    await begin(2);
    const options = { requestId: `${target}-once` };
    const first = await distributed().start('sow', target, { crop: 'rye' }, options);
    await distributed().result(first);
    await rowsOf(`${target}-once`, first);
    const workflowId = coordinatorWorkflowId(target);
    await service.client.workflow.getHandle(workflowId).terminate();
    const coordinator = {
      ...newCoordinator(target),
      next: { sow: 12_000 },
      requests: { sow: { first: 12_000, fingerprints: '' } },
    };
    await service.client.workflow.start(COORDINATOR_TYPE, {
      ...{ workflowId, taskQueue: DEFAULT_TASK_QUEUE, args: [{ target, coordinator }] },
    });
    expect(await distributed().start('sow', target, { crop: 'rye' }, options)).toEqual(first);
    await expect(distributed().start('sow', target, { crop: 'oats' }, options)).rejects.toMatchObject({
      code: 'request_conflict',
    });
    expect((await distributed().start('sow', target, { crop: 'oats' })).instance).toBe(12_000);
  });

  it('arrive when the store was away all the while, and hold no job up (S5.2)', async () => {
    await begin(300);
    await server.stop();
    const ref = await distributed().start('sow', target, { crop: 'oats' }, { requestId: `${target}-sow`, atOnce: 4 });
    await until(async () => expect(farm.completed).toMatchObject([{ success: true }]));
    await server.start();
    const rows = await rowsOf(`${target}-sow`, ref);
    await until(async () => {
      expect(await jobs(requestOn(target, `${target}-sow`))).toHaveLength(300);
      expect(await attempts(requestOn(target, `${target}-sow`))).toHaveLength(farm.begun.length);
    });
    expect(rows.operation).toMatchObject({ outcome: 'success' });
    expect((await jobs(requestOn(target, `${target}-sow`))).every(({ end_state }) => end_state === 'succeeded')).toBe(
      true,
    );
  });
});
