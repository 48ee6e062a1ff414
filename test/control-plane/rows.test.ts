import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { ensurePostgres, removePostgres, stopPostgres } from '../../src/stack/postgres.js';
import { createDatabase, rebuild, type Store } from '../../src/store/index.js';
import { replayRecords } from '../../src/temporal/replay-records.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { controlPlane, controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import {
  CONTROL_PLANE_QUEUE,
  startTestControlPlane,
  THREE_CLUSTERS,
  type TestControlPlane,
} from '../support/control-plane.js';
import { until } from '../support/until.js';
import { readInSql, readOnCommandLine, readOverHttp } from './readings.js';
import { workflowTasks, type WorkflowTask } from '../support/workflow-tasks.js';

/** How many servers are provisioned while the store is unavailable; and for how long it is away at least. */
const SERVERS = Number(process.env['SERVERS'] ?? 2);
const AWAY_MS = Number(process.env['AWAY_MS'] ?? 0);

let folder: string;
let url: string;
let store: Store;
let plane: TestControlPlane;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'reeve-rows-')), 'postgres');
  url = (await ensurePostgres(folder)).url('reeve');
  await createDatabase(url);
  store = openControlPlaneStore(url);
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer, rooms: THREE_CLUSTERS });
});
afterAll(async () => {
  await plane.close();
  await store.close();
  await removePostgres(folder);
  await rm(join(folder, '..'), { recursive: true, force: true });
});

async function provision(name: string) {
  const taken = await plane.reeve.create(LogicalServer, name, 'create', {}, { requestId: `create-${name}` });
  return plane.reeve.operations.result(taken);
}

const operationOf = async (name: string) =>
  store.reader.selectFrom('operations').selectAll().where('request_id', '=', `create-${name}`).execute();
const eventsOf = async (name: string) =>
  store.reader
    .selectFrom('state_machine_events')
    .selectAll()
    .where('request_id', '=', `create-${name}`)
    .orderBy('event_id')
    .execute();

/** All rows of a provisioning have arrived. */
async function untilComplete(name: string) {
  return until(async () => {
    const [operation] = await operationOf(name);
    expect(operation).toMatchObject({ outcome: 'success' });
    const events = await eventsOf(name);
    expect(events.filter(({ end_time }) => end_time === null)).toEqual([]);
    expect(events).toHaveLength(8);
    const transitions = await store.reader
      .selectFrom('state_machine_transitions')
      .selectAll()
      .where('operation_id', '=', operation!.operation_id)
      .orderBy('event_id')
      .orderBy('transition_ordinal')
      .execute();
    expect(transitions.filter(({ end_state }) => end_state === 'Ready')).toHaveLength(5);
    return { operation: operation!, events, transitions };
  });
}

describe('the rows of a provisioning (S5.1, S5.2)', () => {
  it('say at all three levels what the histories say, with a failure in it', async () => {
    plane.failures.set('databases.createInstance orders', 1);
    const result = await provision('orders');
    const { operation, events, transitions } = await untilComplete('orders');
    const tasksOf = (id: string) => workflowTasks(plane, id);
    const root = await tasksOf('LogicalServer/orders');
    const followed = await tasksOf('op/create-orders');

    expect(operation).toMatchObject({
      request_id: 'create-orders',
      name: 'create LogicalServer/orders',
      operation_first_response_time: operation.workflow_start_time,
      workflow_end_time: new Date(followed.at(-1)!.at),
      outcome: result.outcome,
      error_id: null,
      restart_count: 0,
      logical_server_id: 'orders',
    });

    // In the first task, once the store has been asked whether the key had a life before.
    expect(operation.workflow_start_time.getTime()).toBeGreaterThanOrEqual(root[0]!.at);
    expect(operation.workflow_start_time.getTime()).toBeLessThan(root[1]!.at);

    const names = events.map(({ state_machine_type, event }) => `${state_machine_type}.${event}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'LogicalServer.create',
        'SqlApplication.create',
        'DnsRecord.create',
        'DatabaseService.create',
        'Alias.create',
      ]),
    );
    const positions = events.map(
      ({ state_machine_type, workflow_position }) => `${workflow_position} ${state_machine_type}`,
    );
    expect([...new Set(positions)].sort()).toEqual([
      '1 LogicalServer',
      '1.1 SqlApplication',
      '1.2 DnsRecord',
      '1.3 DatabaseService',
      '1.4 Alias',
    ]);

    // The instance: its first attempt failed, its second one succeeded. Each time is that of a task in its history.
    const application = events.find(({ state_machine_type }) => state_machine_type === 'SqlApplication')!;
    const tasks = await tasksOf(`SqlApplication/${application.keys}`);
    const scheduled = tasks.filter(({ commands }) =>
      commands.includes('activityTaskScheduled databases.createInstance'),
    );
    const failed = taskAfter(tasks, 'activityTaskFailed databases.createInstance');
    const completed = taskAfter(tasks, 'activityTaskCompleted databases.createInstance');
    expect(scheduled).toHaveLength(2);
    const attempts = transitions.filter(({ action_name }) => action_name === 'install');
    expect(attempts).toMatchObject([
      {
        event_id: application.event_id,
        transition_ordinal: 2,
        transition_type: 'AutoAction',
        start_state: 'Creating',
        start_state_health: 'normal',
        start_state_entry_time: new Date(tasks[0]!.at),
        transition_start_time: new Date(scheduled[0]!.at),
        action_start_time: new Date(scheduled[0]!.at),
        transition_time: new Date(failed.at),
        retry_count: 0,
        end_state: 'Creating',
        outcome: 'failed',
        error_id: expect.any(Number),
      },
      {
        transition_ordinal: 3,
        start_state: 'Creating',
        start_state_entry_time: new Date(tasks[0]!.at),
        transition_start_time: new Date(scheduled[1]!.at),
        transition_time: new Date(completed.at),
        retry_count: 1,
        end_state: 'Ready',
        end_state_health: 'normal',
        outcome: 'success',
        error_id: null,
      },
    ]);
    expect(application).toMatchObject({
      event_type: 'raised',
      start_state: 'Absent',
      end_state: 'Ready',
      start_time: new Date(tasks[0]!.at),
      end_time: new Date(completed.at),
      error_end_state: false,
      error_reported: true,
      error: attempts[0]!.error_id,
      exception: false,
      restart_count: 0,
      operation_id: operation.operation_id,
    });
    const errors = await store.reader.selectFrom('workflow_errors').selectAll().execute();
    expect(errors).toEqual([
      {
        error_id: application.error,
        error_details: 'provider_down: databases.createInstance is down',
        error_kind: 'retryable',
      },
    ]);

    // Every other time is one that its own workflow saw, and every entity's row is as the entity says itself.
    for (const each of events) {
      const seen = (await tasksOf(`${each.state_machine_type}/${each.keys}`)).map(({ at }) => at);
      const startedAt = each.start_time!.getTime();
      // The root asks the store within its first task.
      if (each === events[0]) expect(startedAt).toBeGreaterThanOrEqual(seen[0]!);
      else expect(seen).toContain(startedAt);
      expect(seen).toContain(each.end_time!.getTime());
      const { snapshot } = await plane.reeve.read({ type: each.state_machine_type!, key: each.keys! });
      const [row] = await store.reader
        .selectFrom('entities')
        .selectAll()
        .where('type', '=', snapshot.type)
        .where('key', '=', snapshot.key)
        .execute();
      expect(row).toMatchObject({
        state: snapshot.state,
        version: snapshot.version,
        properties: snapshot.properties,
        settled: true,
      });
      const own = transitions.filter(({ event_id }) =>
        events.some(
          (e) => e.event_id === event_id && e.keys === each.keys && e.state_machine_type === each.state_machine_type,
        ),
      );
      expect(own).toHaveLength(snapshot.version);
    }
  });

  it('say the same in SQL, over HTTP and on the command line, which agrees with the operation and its entities (S6.1, S6.3)', async () => {
    const modules = [controlPlaneModule];
    const application = createApplication({
      ...{ reeve: plane.reeve, modules, store: serviceStore(store), log: pino({ level: 'silent' }) },
    });
    const services = { TEMPORAL_ADDRESS: plane.environment.address, DATABASE_URL: url };
    const inSql = await readInSql(store, 'create-orders', 'orders');
    expect(await readOverHttp(application, 'create-orders', 'orders')).toEqual(inSql);
    expect(await readOnCommandLine(services, 'create-orders', 'orders')).toEqual(inSql);

    const get = async (path: string) =>
      (await (await application.fetch(new Request(`http://127.0.0.1${path}`))).json()) as Record<string, unknown>;
    const [operation] = inSql.operations;
    expect(await get('/api/operations/create-orders')).toMatchObject({
      ...{ request_id: 'create-orders', name: operation!['name'], outcome: operation!['outcome'] },
      workflow_start_time: operation!['workflow_start_time'],
      workflow_end_time: operation!['workflow_end_time'],
    });
    expect(inSql.entities.map(({ type }) => type)).toEqual([
      ...['Alias', 'DatabaseService', 'DnsRecord', 'LogicalServer', 'SqlApplication'],
    ]);
    for (const { type, key, state, health, version, properties, state_entry_time } of inSql.entities) {
      const entity = await get(`/api/control-plane/v1/${String(type)}/${String(key)}`);
      expect(entity).toMatchObject({ state, health, version, properties, state_entry_time, stale: false });
    }
  });

  it('are all there, once, when PostgreSQL was away meanwhile, and nobody waited for it', async () => {
    const before = Date.now();
    const names = Array.from({ length: SERVERS }, (_, index) => `away-${index}`);
    await stopPostgres(folder);
    const results = await Promise.all(names.map((name) => provision(name)));
    expect(results.map(({ outcome }) => outcome)).toEqual(names.map(() => 'success'));
    while (Date.now() < before + AWAY_MS) await new Promise((resolve) => setTimeout(resolve, 500));
    await ensurePostgres(folder);
    for (const name of names) {
      const { events, transitions } = await untilComplete(name);
      expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
      expect(transitions).toHaveLength(16);
    }
  }, 300_000);

  it('are made again from the workflows, the same as they were', async () => {
    const dump = async () => ({
      operations: await store.reader.selectFrom('operations').selectAll().orderBy('operation_id').execute(),
      events: await store.reader.selectFrom('state_machine_events').selectAll().orderBy('event_id').execute(),
      transitions: await store.reader
        .selectFrom('state_machine_transitions')
        .selectAll()
        .orderBy('event_id')
        .orderBy('transition_ordinal')
        .execute(),
    });
    const before = await dump();
    expect(before.operations.length).toBe(SERVERS + 1);
    // Records that were written again when the store came back may still be on its way.
    await until(async () => {
      await forgetEverything(url);
      expect((await dump()).operations).toEqual([]);
    });
    const whose = { entities: controlPlane, taskQueue: CONTROL_PLANE_QUEUE };
    const replay = () => replayRecords(plane.environment.client, plane.workflowBundle, whose);
    const rebuilt = await rebuild(store, replay());
    expect(rebuilt).toMatchObject({ unreadable: [], gaps: [] });
    expect(await dump()).toEqual(before);
    // A second time changes nothing, and deletes nothing.
    await rebuild(store, replay());
    expect(await dump()).toEqual(before);
  });
});

describe('the dimensions of a database that is copied and moved (S5.1)', () => {
  it('are the source in their columns and the target in its own, in the rows of the operation and its event', async () => {
    for (const name of ['from', 'to']) await provision(name);
    const done = async (event: 'copyTo' | 'moveTo', params: object) => {
      const options = { params, requestId: event };
      const taken = await plane.reeve.raiseAny(LogicalDatabase, 'from.sales', event, options);
      // They say so while it is under way, too.
      await until(async () =>
        expect(await eventRow(event)).toMatchObject({ target_logical_server: 'to', end_state: null }),
      );
      expect(await plane.reeve.operations.result(taken)).toMatchObject({ outcome: 'success', errors: [] });
      return until(async () => {
        const row = await store.reader
          .selectFrom('operations')
          .selectAll()
          .where('request_id', '=', event)
          .executeTakeFirstOrThrow();
        expect(row).toMatchObject({ outcome: 'success' });
        const ofEvent = await eventRow(event);
        expect(ofEvent).toMatchObject({ end_state: 'Ready' });
        return [row, ofEvent];
      });
    };
    const eventRow = (event: string) =>
      store.reader
        .selectFrom('state_machine_events')
        .selectAll()
        .where('request_id', '=', event)
        .where('keys', '=', 'from.sales')
        .where('state_machine_type', '=', 'LogicalDatabase')
        .executeTakeFirst();
    const created = await plane.reeve.create(LogicalDatabase, 'from.sales', 'create', { dataCluster: 'east' });
    await plane.reeve.operations.result(created);
    const source = { data_cluster_id: 'east', logical_server_id: 'from', logical_database_id: 'from.sales' };
    for (const row of await done('copyTo', { server: 'to', name: 'sales', dataCluster: 'west' })) {
      const target = { target_data_cluster: 'west', target_logical_server: 'to' };
      expect(row).toMatchObject({ ...source, ...target, target_logical_database_id: 'to.sales' });
    }
    await plane.reeve.perform(LogicalDatabase, 'to.sales', 'delete');
    for (const row of await done('moveTo', { server: 'to', dataCluster: 'west' })) {
      const target = { target_data_cluster: 'west', target_logical_server: 'to' };
      expect(row).toMatchObject({ ...source, ...target, target_logical_database_id: 'from.sales' });
    }
    // The entity is found where it is now.
    await until(async () => {
      const found = store.reader.selectFrom('entities').selectAll().where('key', '=', 'from.sales');
      const database = await found.where('type', '=', 'LogicalDatabase').executeTakeFirst();
      expect(database).toMatchObject({ data_cluster_id: 'west', logical_server_id: 'to' });
    });
  }, 240_000);
});

function taskAfter(tasks: readonly WorkflowTask[], input: string): WorkflowTask {
  const found = tasks.find(({ inputs }) => inputs.includes(input));
  if (!found) throw new Error(`no task took in '${input}'`);
  return found;
}

/** Empties all tables, as the owner. */
async function forgetEverything(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname like 'reeve%' and tablename not like '%migration%'`,
    );
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
  } finally {
    await client.end();
  }
}
