import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployments } from '../../src/client/deployments.js';
import {
  call,
  databaseLive,
  evaluateCondition,
  finallyDo,
  livenessPage,
  parallel,
  retry,
  run,
  sequence,
  testCompound,
  waitFor,
  type Description,
} from '../../src/components/index.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { choosePort } from '../../src/stack/ports.js';
import { assignPort, initialise, serverCommand, storedUrl } from '../../src/stack/postgres.js';
import { createCallWorker } from '../../src/temporal/worker.js';
import { files, Program, sql } from '../entities/machine.js';
import { Machine, query } from '../support/machine.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/* The six use cases with which the source begins, on the real service, with real files, processes, sockets and databases. */

/** A web server whose first page needs the module that was fetched. */
const SERVER = `
import { createServer } from 'node:http';
import { driver } from './lib/driver.mjs';
createServer(({ url }, response) => {
  response.statusCode = url === '/' ? 200 : 404;
  response.end(url === '/' ? 'served with ' + driver : 'nothing is here');
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

let folder: string;
let machine: Machine;
let service: TestService;
let deployments: Deployments;
const path = (...names: readonly string[]) => join(folder, ...names);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'use-cases-'));
  machine = await Machine.start(path('machine'));
  await mkdir(path('server', 'lib'), { recursive: true });
  await writeFile(path('server', 'server.mjs'), SERVER);
  service = await startTestService({
    workflows: 'entities/machine-workflows.ts',
    declarations: ['entities/machine.ts'],
    entities: [],
    resources: machine.resources,
  });
  const { client } = service.environment;
  deployments = new Deployments({ client, taskQueue: DEFAULT_TASK_QUEUE, components: [Program] });
});
afterAll(async () => {
  await service.close();
  await machine.close();
  await rm(folder, { recursive: true, force: true });
});

const ends = async (name: string) => {
  await deployments.terminate(name);
  return deployments.result(name);
};

/** A server that listens on this port. */
const server = (name: string, port: number, where: { readonly host?: string } = {}) =>
  Program({ name, command: process.execPath, args: [path('server', 'server.mjs'), String(port)], ...where });
const site = (port: number, page = '') => `http://127.0.0.1:${port}/${page}`;

/** A worker of a host, until its end. */
async function host(name: string): Promise<() => Promise<void>> {
  const { nativeConnection: connection } = service.environment;
  const serving = { connection, namespace: service.namespace, shutdownGraceMs: 1_000 };
  const worker = await createCallWorker({ ...serving, resources: machine.resources, serves: [{ taskQueue: name }] });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

describe('the use cases of the source', () => {
  it('fetches a file, and copies it, before the process starts that needs it (W1, W3)', async () => {
    const repository = createServer((_, response) => response.end("export const driver = 'driver 5';\n"));
    await once(repository.listen(0, '127.0.0.1'), 'listening');
    const port = await choosePort();
    try {
      const fetched = path('driver.mjs');
      const steps = sequence({
        fetch: call(files.fetch, { url: site((repository.address() as { port: number }).port), file: fetched }),
        copy: call(files.copy, { from: fetched, to: path('server', 'lib', 'driver.mjs') }),
        server: server('server', port),
      });
      await deployments.deploy(steps, 'fetched');
      await until(async () => expect(await (await fetch(site(port))).text()).toBe('served with driver 5'));
      expect(await ends('fetched')).toMatchObject({ type: 'normal' });
      expect(await machine.runs('server')).toBe(false);
    } finally {
      repository.close();
    }
  });

  describe('with a database', () => {
    const data = () => path('database');
    let url: string;
    let database: () => Description;
    beforeAll(async () => {
      await initialise(data());
      // The server ends and starts again on its port, so this is none of those that the system gives to whoever asks for any.
      const port = await assignPort(data(), 10_000 + (process.pid % 20_000));
      const { command, args } = await serverCommand(data(), port);
      url = (await storedUrl(data()))!;
      database = () => Program({ name: 'database', command, args: [...args] });
    });
    const answers = (then?: Description) =>
      waitFor({ condition: databaseLive({ url }), interval: '100ms', timeout: '1m', ...(then && { then }) });
    const run = (statement: string) => call(sql.run, { url, statement });

    it('starts it, and fills it when it answers (W1, W3)', async () => {
      const fill = sequence({
        create: run('create table orders (id integer primary key)'),
        insert: run('insert into orders select generate_series(1, 1000)'),
      });
      await deployments.deploy(parallel({ database: database(), fill: answers(fill) }), 'filled');
      await until(async () =>
        expect((await deployments.explain('filled')).children[1]).toMatchObject({ phase: 'ended' }),
      );
      expect(await query(url, 'select count(*)::integer as count from orders')).toEqual([{ count: 1_000 }]);
      expect(await ends('filled')).toMatchObject({ type: 'normal' });
      expect(await machine.runs('database')).toBe(false);
    });

    it('drops a table before it ends (W1)', async () => {
      const tested = () =>
        parallel(
          { database: database(), ready: answers(), after: finallyDo({ action: run('drop table orders') }) },
          { sfSyncTerminate: true },
        );
      await deployments.deploy(tested(), 'dropping');
      await until(async () =>
        expect((await deployments.explain('dropping')).children[1]).toMatchObject({ phase: 'ended' }),
      );
      const there = "select to_regclass('orders') is not null as there";
      expect(await query(url, there)).toEqual([{ there: true }]);
      expect(await ends('dropping')).toMatchObject({ type: 'normal' });
      expect(await machine.runs('database')).toBe(false);
      await deployments.deploy(parallel({ database: database(), ready: answers() }), 'looking');
      await until(async () => expect(await query(url, there)).toEqual([{ there: false }]));
      await ends('looking');
    });
  });

  it('copies a file that is locked again and again, until it works (W1)', async () => {
    await writeFile(path('report'), 'all is well');
    await writeFile(path('copied.lock'), '');
    const copy = call(files.copy, { from: path('report'), to: path('copied') });
    await deployments.deploy(retry({ retry: 'forever', delay: '100ms', action: copy }), 'locked');
    await until(async () => expect((await deployments.tree('locked')).next).toBeGreaterThan(6));
    await expect(readFile(path('copied'))).rejects.toMatchObject({ code: 'ENOENT' });
    await rm(path('copied.lock'));
    expect(await deployments.result('locked')).toMatchObject({ type: 'normal' });
    expect(await readFile(path('copied'), 'utf8')).toBe('all is well');
  });

  it('deploys on a host that is not there yet, with a life of its own (W1, W4)', async () => {
    await writeFile(path('server', 'lib', 'driver.mjs'), "export const driver = 'another driver';\n");
    const port = await choosePort();
    const far = server('far', port, { host: 'far' });
    const action = retry({ retry: 'forever', delay: '100ms', action: far, reachWithin: '300ms' });
    await deployments.deploy(run({ asName: 'independent', action }), 'starting');
    expect(await deployments.result('starting')).toMatchObject({ type: 'normal' });
    const tries = () =>
      until(async () => {
        const { doing } = await deployments.explain('independent');
        expect(Number(/try (\d+)/.exec(doing.join())?.[1])).toBeGreaterThan(1);
      });
    await tries();
    expect(await machine.runs('far')).toBe(false);
    const stop = await host('far');
    await until(async () => expect(await (await fetch(site(port))).text()).toBe('served with another driver'));
    expect(await ends('independent')).toMatchObject({ type: 'normal' });
    expect(await machine.runs('far')).toBe(false);
    await stop();
  });

  it('deploys a web site on a host, waits until it is visible, tests it, and ends it (W1, W3)', async () => {
    await writeFile(path('server', 'lib', 'driver.mjs'), "export const driver = 'no driver';\n");
    const stop = await host('web');
    const test = async (name: string, page: string) => {
      const port = await choosePort();
      const asks = (url: string, status: number) => evaluateCondition({ condition: livenessPage({ url, status }) });
      const tests = sequence({ first: asks(site(port), 200), other: asks(site(port, page), 404) });
      const condition = livenessPage({ url: site(port) });
      const all = {
        action: server(name, port),
        condition,
        tests,
        interval: '100ms',
        timeout: '1m',
        host: 'web',
      } as const;
      await deployments.deploy(testCompound(all), name);
      const end = await deployments.result(name);
      expect(await machine.runs(name)).toBe(false);
      return end;
    };
    expect(await test('right', 'nothing')).toMatchObject({ type: 'normal' });
    expect(await test('wrong', '')).toMatchObject({ type: 'abnormal', component: 'tests/other' });
    await stop();
  });
});
