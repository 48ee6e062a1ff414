import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { Box, Room } from '../entities/box.js';
import { Sleeper } from '../entities/sleeper.js';
import { runScript, type Script } from '../stack/script.js';
import { useServer, type TestStore } from '../store/server.js';
import { patientClient } from '../support/patient-client.js';
import { sharedBundle } from '../support/shared-bundle.js';
import { startTemporalService } from '../support/temporal-service.js';
import { until } from '../support/until.js';

const LONG = 180_000;
const server = useServer();
let folder: string;
let environment: TestWorkflowEnvironment;
let reeve: ReeveClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-resumption-'));
  environment = await startTemporalService();
  await registerSearchAttributes(environment.connection, 'default');
  const { code } = await sharedBundle({
    workflows: 'entities/sleeper-workflows.ts',
    declarations: ['entities/box.ts', 'entities/sleeper.ts'],
  });
  await writeFile(join(folder, 'bundle.js'), code);
  reeve = new ReeveClient({ client: patientClient(environment.client, () => true), entities: [Box, Room, Sleeper] });
});
afterAll(async () => {
  await environment.teardown();
  await rm(folder, { recursive: true });
});

/** A worker in a process of its own. Its shelf takes no box while it is `full`. */
async function worker(store: TestStore, { full = false, maxCached = 100 } = {}): Promise<Script> {
  const settings = { address: environment.address, url: store.url, bundle: join(folder, 'bundle.js'), full, maxCached };
  const script = runScript(`
    const { NativeConnection } = await import('@temporalio/worker');
    const { z } = await import('zod');
    const { defineResource } = await built('../definition/index');
    const { implementResource } = await built('../temporal/resources');
    const { createWorker } = await built('../temporal/worker');
    const { openStore } = await built('../store/store');
    const { address, url, bundle, full, maxCached } = ${JSON.stringify(settings)};
    const connection = await NativeConnection.connect({ address });
    const store = openStore({ url, dimensions: [], keepWithinMs: 30_000 });
    const [input, output] = [z.object({ name: z.string() }), z.object({ place: z.number() })];
    const shelf = defineResource('shelf', { put: { input, output, timeout: '10m', heartbeat: '10s' } });
    const put = async () => (full ? new Promise(() => {}) : { place: 1 });
    const worker = await createWorker({
      connection, namespace: 'default', workflowBundle: { codePath: bundle }, records: store.writer, maxCached,
      resources: [implementResource(shelf, { put })], shutdownGraceMs: 500,
    });
    const running = worker.run();
    console.log('up');
    await running;
    await store.close();
    await connection.close();
  `);
  await script.firstLine;
  return script;
}

async function stop(script: Script): Promise<void> {
  const ended = new Promise((resolve) => script.process.once('exit', resolve));
  script.process.kill('SIGTERM');
  await ended;
}

const isWaiting = (store: TestStore, ...keys: readonly string[]) =>
  until(async () => {
    const rows = await store.reader.selectFrom('entities').selectAll().where('key', 'in', keys).execute();
    expect(rows.map(({ state }) => state).toSorted()).toEqual(
      keys.map(() => expect.stringMatching(/^(Asleep|Waiting)$/)),
    );
  });

async function ofOperation({ reader }: TestStore, id: string): Promise<number> {
  const found = reader.selectFrom('operations').select('restart_count').where('request_id', '=', id);
  return (await found.executeTakeFirstOrThrow()).restart_count;
}

async function ofEvents({ reader }: TestStore, key: string): Promise<readonly unknown[]> {
  const rows = await reader.selectFrom('state_machine_events').selectAll().where('keys', '=', key).execute();
  return rows.map(({ event, restart_count }) => [event, restart_count]);
}

describe('an entity whose worker is ended while it waits', () => {
  it(
    'tells of a death, and not of an end in order (S5.1)',
    async () => {
      const store = await server.store();
      const first = await worker(store, { full: true });
      const asleep = await reeve.create(Sleeper, 'killed', 'sleep');
      const furnished = await reeve.create(Room, 'hall', 'furnish', { boxes: ['chest'] });
      await isWaiting(store, 'killed', 'hall');
      await until(async () => expect((await reeve.read({ type: 'Box', key: 'chest' })).snapshot.state).toBe('Placing'));
      await first.kill();
      const second = await worker(store);
      for (const taken of [asleep, furnished]) {
        expect(await reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
      }
      const left = await reeve.create(Sleeper, 'left', 'sleep');
      await isWaiting(store, 'left');
      await stop(second);
      await worker(store);
      expect(await reeve.operations.result(left)).toMatchObject({ outcome: 'success' });
      await until(async () => {
        expect(await ofOperation(store, asleep.requestId)).toBe(1);
        // One for the room, which waited, and one for the call of its box, which was cut off.
        expect(await ofOperation(store, furnished.requestId)).toBe(2);
      });
      expect(await ofEvents(store, 'chest')).toEqual([['place', 1]]);
      const noted = 'select event from reeve_data.resumptions where operation = $1';
      expect(await store.query(noted, [left.requestId])).toEqual([{ event: null }]);
      expect(await ofOperation(store, left.requestId)).toBe(0);
    },
    LONG,
  );

  it(
    'tells of nothing while its worker only has no memory for it (S5.1)',
    async () => {
      const store = await server.store();
      const only = await worker(store, { maxCached: 1 });
      const keys = ['a', 'b', 'c'];
      const taken = await Promise.all(keys.map((key) => reeve.create(Sleeper, key, 'sleep')));
      await isWaiting(store, ...keys);
      for (const key of keys) await reeve.read({ type: 'Sleeper', key });
      for (const each of taken) expect(await reeve.operations.result(each)).toMatchObject({ outcome: 'success' });
      await stop(only);
      for (const each of taken) expect(await ofOperation(store, each.requestId)).toBe(0);
      expect(await store.query('select from reeve_data.resumptions')).toEqual([]);
    },
    LONG,
  );
});
