import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aliasProvider } from '../../activities/alias/provider.js';
import { databaseProvider } from '../../activities/databases/provider.js';
import { nameProvider } from '../../activities/dns/provider.js';
import { HostClient } from '../../activities/host/client.js';
import { resourcesFolder } from '../../activities/host/host-file.js';
import type { Credentials } from '../../activities/host/databases.js';
import { ensurePostgres, runningPid } from '../../src/stack/postgres.js';
import { takeInventory, useServer } from '../../tools/recovery/inventory.js';
import { HostProcess } from '../support/host-process.js';
import { until } from '../support/until.js';

const nowhere = (): never => {
  throw new Error('no address is expected');
};
const context = {
  idempotencyKey: 'k',
  attempt: 1,
  signal: new AbortController().signal,
  heartbeat: () => undefined,
  addressOf: nowhere,
  affinity: nowhere,
};
const instance = { application: 'orders', dataCluster: 'main' };
const master = { application: 'orders', server: 'orders', database: 'master', administrator: 'administrator' };
const local = [{ first: '127.0.0.1', last: '127.0.0.1' }];
const ONE_OF_EACH = { instances: 1, processes: 1, aliases: 1, names: 1 };

let home: string;
let host: HostProcess;
let client: HostClient;
let databases: ReturnType<typeof databaseProvider>;
let aliases: ReturnType<typeof aliasProvider>;
let names: ReturnType<typeof nameProvider>;

async function provision(): Promise<void> {
  await databases.createInstance(instance, context);
  await databases.createDatabase(master, context);
  await databases.configureMaster(master, context);
  await aliases.protect({ name: 'orders', rules: local }, context);
  const { host: address, port } = await aliases.point({ name: 'orders', application: 'orders' }, context);
  await names.publish({ name: 'orders', address, port }, context);
}

async function remove(): Promise<void> {
  await names.withdraw({ name: 'orders' }, context);
  await aliases.remove({ name: 'orders' }, context);
  await databases.dropDatabase(master, context);
  await databases.dropInstance({ application: 'orders' }, context);
  await databases.forgetAdministrator({ server: 'orders' }, context);
}

const credentials = () => client.request<Credentials>('GET', ['administrators', 'orders']);
const instanceFolder = () => join(resourcesFolder(home), 'instances', 'main', 'orders');

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function setUp(): Promise<void> {
  home = await mkdtemp(join(tmpdir(), 'reeve-test-'));
  host = await HostProcess.start(home);
  client = new HostClient(home);
  databases = databaseProvider(client);
  aliases = aliasProvider(client);
  names = nameProvider(client);
}

async function tearDown(): Promise<void> {
  await host.kill('SIGTERM');
  await rm(home, { recursive: true, force: true });
}

describe('a resource call', () => {
  beforeAll(setUp);
  afterAll(tearDown);

  it('gives the same when it is repeated, and each resource exists once (S3.4)', async () => {
    await provision();
    const first = { address: await databases.createInstance(instance, context), login: await credentials() };
    const alias = await aliases.reserve({ name: 'orders' }, context);
    await provision();
    expect({ address: await databases.createInstance(instance, context), login: await credentials() }).toEqual(first);
    expect(await aliases.reserve({ name: 'orders' }, context)).toEqual(alias);
    expect(await takeInventory(home, 'orders')).toEqual(ONE_OF_EACH);
    expect(await useServer(home, 'orders')).toEqual({ roles: 1, databases: 1 });
  });

  it('makes an administrator who is no superuser, whose password is in no answer of a call', async () => {
    const { user, password, database } = await credentials();
    const { port } = await aliases.reserve({ name: 'orders' }, context);
    const login = new pg.Client({ host: '127.0.0.1', port, user, password, database });
    await login.connect();
    const { rows } = await login.query('SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user');
    await login.end();
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: true }]);
    expect(JSON.stringify(await databases.configureMaster(master, context))).toBe('{}');
    const wrong = new pg.Client({ host: '127.0.0.1', port, user, password: 'guessed', database });
    await expect(wrong.connect()).rejects.toThrow(/password authentication failed/);
  });

  it('says with a code what is wrong', async () => {
    const unknown = databases.createDatabase({ ...master, application: 'nobody' }, context);
    await expect(unknown).rejects.toMatchObject({ code: 'no_instance' });
    const wild = databases.createInstance({ ...instance, application: '../escape' }, context);
    await expect(wild).rejects.toMatchObject({ code: 'invalid_input' });
    const nowhere = aliases.point({ name: 'void', application: 'nobody' }, context);
    await expect(nowhere).rejects.toMatchObject({ code: 'no_instance' });
    await aliases.remove({ name: 'void' }, context);
  });

  it('works under the name of its operation, so that the log of the database tells for whom (S4.8)', async () => {
    const { url } = await ensurePostgres(instanceFolder());
    const inTheWay = new pg.Client({ connectionString: url('template1') });
    await inTheWay.connect();
    const asked = { ...context, operation: 'create-42' };
    await expect(databases.createDatabase({ ...master, database: 'other' }, asked)).rejects.toThrow(/other users/);
    await inTheWay.end();
    const log = await readFile(join(instanceFolder(), 'log'), 'utf8');
    expect(log).toMatch(/postgres@postgres reeve create-42 ERROR: .*template1/);
    await databases.createDatabase({ ...master, database: 'other' }, context);
    await databases.dropDatabase({ ...master, database: 'other', administrator: 'nobody' }, context);
  });

  it('is carried out for nobody without the token', async () => {
    const { url } = JSON.parse(await readFile(join(resourcesFolder(home), 'host.json'), 'utf8')) as { url: string };
    const response = await fetch(`${url}/instances/orders`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer x' },
    });
    expect(response.status).toBe(401);
  });

  it('removes everything, and can be repeated too', async () => {
    const { port } = await aliases.reserve({ name: 'orders' }, context);
    await remove();
    await remove();
    expect(await takeInventory(home, 'orders')).toEqual({ instances: 0, processes: 0, aliases: 0, names: 0 });
    await expect(credentials()).rejects.toMatchObject({ code: 'no_credentials' });
    expect(await answers(port)).toBe(false);
  });
});

describe('a resource host that is killed with SIGKILL', () => {
  beforeEach(setUp);
  afterEach(tearDown);

  it('has everything as before when it is back, on the same addresses', async () => {
    await provision();
    const { port } = await aliases.reserve({ name: 'orders' }, context);
    const pid = await runningPid(instanceFolder());
    await host.kill();
    host = await HostProcess.start(home);
    expect((await aliases.reserve({ name: 'orders' }, context)).port).toBe(port);
    expect(await runningPid(instanceFolder())).toBe(pid);
    expect(await useServer(home, 'orders')).toEqual({ roles: 1, databases: 1 });
  });

  it('leaves a half-initialised instance that the repeated call makes anew', async () => {
    const creating = databases.createInstance(instance, context);
    const given = creating.catch((thrown: unknown) => thrown);
    await until(async () => stat(join(instanceFolder(), 'data', 'base')));
    await host.kill();
    await expect(stat(join(instanceFolder(), 'complete'))).rejects.toThrow();
    host = await HostProcess.start(home);
    await given;
    await provision();
    expect(await takeInventory(home, 'orders')).toEqual(ONE_OF_EACH);
    expect(await useServer(home, 'orders')).toEqual({ roles: 1, databases: 1 });
  });

  it('between the record of a password and the role leads to one role with that password', async () => {
    await databases.createInstance(instance, context);
    await databases.createDatabase(master, context);
    const known = { database: 'master', user: 'administrator', password: 'recorded-before-the-kill' };
    await writeFile(join(resourcesFolder(home), 'credentials', 'orders.json'), JSON.stringify(known));
    await host.kill();
    host = await HostProcess.start(home);
    await provision();
    expect(await credentials()).toEqual(known);
    expect(await useServer(home, 'orders')).toEqual({ roles: 1, databases: 1 });
  });

  it('between the record of an alias and its listener listens when it is back', async () => {
    await databases.createInstance(instance, context);
    const { port } = await aliases.reserve({ name: 'orders' }, context);
    expect(await answers(port)).toBe(false);
    await host.kill();
    await writeFile(
      join(resourcesFolder(home), 'aliases', 'orders.json'),
      JSON.stringify({ port, application: 'orders' }),
    );
    host = await HostProcess.start(home);
    expect(await answers(port)).toBe(true);
    await provision();
    expect(await takeInventory(home, 'orders')).toEqual(ONE_OF_EACH);
  });

  it('does not matter to the instance, which is started again when it is killed itself', async () => {
    await provision();
    const pid = await runningPid(instanceFolder());
    process.kill(pid!, 'SIGKILL');
    await until(async () => {
      expect(await runningPid(instanceFolder())).not.toBe(pid);
      expect(await useServer(home, 'orders')).toEqual({ roles: 1, databases: 1 });
    });
  });
});
