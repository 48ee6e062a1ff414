import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, THREE_CLUSTERS, type TestControlPlane } from '../support/control-plane.js';
import { openSession, runSql } from '../support/server-session.js';
import { takeInventory } from '../../tools/recovery/inventory.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane({ rooms: THREE_CLUSTERS });
  for (const [name, administrator] of [
    ['orders', 'administrator'],
    ['archive', 'keeper'],
  ] as const) {
    await plane.reeve.operations.result(await plane.reeve.create(LogicalServer, name, 'create', { administrator }));
  }
});
afterAll(async () => plane.close());

const sql = (server: string, database: string, text: string) => runSql(plane.home, server, text, { database });
const read = async (key: string) => (await plane.reeve.read({ type: 'LogicalDatabase', key })).snapshot;
const databasesOf = async (server: string) =>
  (await plane.reeve.read({ type: 'LogicalServer', key: server })).snapshot.subordinates['databases'];

async function create(key: string, params = {}) {
  return plane.reeve.operations.result(await plane.reeve.create(LogicalDatabase, key, 'create', params));
}

async function raise(key: string, event: 'scale' | 'rename' | 'copyTo' | 'moveTo' | 'delete', params?: unknown) {
  return plane.reeve.operations.result(await plane.reeve.raiseAny(LogicalDatabase, key, event, { params }));
}

const SUCCESS = { outcome: 'success', errors: [] };
const FILL = `CREATE TABLE item (id serial PRIMARY KEY, name text); CREATE VIEW names AS SELECT name FROM item;
  CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2'; INSERT INTO item (name) VALUES ('first')`;

/** Each instance is copied, started and stopped for real. */
const timeout = 240_000;

describe('a logical database (S6.4)', { timeout }, () => {
  it('is refused in a data cluster that does not exist, at the first attempt (S6.4)', async () => {
    const { outcome, errors } = await create('orders.lost', { dataCluster: 'nowhere' });
    expect(outcome).toBe('failed');
    const message = expect.stringContaining(
      "no data cluster 'nowhere'. The data clusters are: main, east, west. REEVE_DATA_CLUSTERS",
    );
    expect(errors).toContainEqual(
      expect.objectContaining({ entity: 'LogicalDatabase/orders.lost', code: 'no_data_cluster', message }),
    );
    expect(plane.calls.get('databases.createInstance orders.lost')).toBe(1);
    expect(await raise('orders.lost', 'delete')).toMatchObject(SUCCESS);
  });

  it('is rejected where there is no server, and has never been (S2.2)', async () => {
    await expect(create('nowhere.sales')).rejects.toMatchObject({
      code: 'server_not_ready',
      message: expect.stringContaining('LogicalServer/nowhere does not exist.'),
    });
    const read = plane.reeve.read({ type: 'LogicalDatabase', key: 'nowhere.sales' });
    await expect(read).rejects.toMatchObject({ code: 'absent' });
  });

  it('is rejected before its server is Ready, also over HTTP, and has never been (S2.2)', async () => {
    plane.failures.set('databases.createInstance slow', 2);
    const server = await plane.reeve.create(LogicalServer, 'slow', 'create', {});
    const { reeve } = plane;
    const modules = [controlPlaneModule];
    const application = createApplication({ reeve, modules, log: pino({ level: 'silent' }) });
    const asked = new Request('http://127.0.0.1/api/control-plane/v1/LogicalDatabase', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'slow.sales', event: 'create', parameters: {} }),
    });
    const answered = await application.fetch(asked);
    expect(answered.status).toBe(409);
    const problem = { code: 'server_not_ready', operation: server.answer.operation };
    expect(await answered.json()).toMatchObject(problem);
    await expect(create('slow.sales')).rejects.toMatchObject({ code: 'server_not_ready', rejection: problem });
    const read = reeve.read({ type: 'LogicalDatabase', key: 'slow.sales' });
    await expect(read).rejects.toMatchObject({ code: 'absent' });
    expect(await plane.reeve.operations.result(server)).toMatchObject(SUCCESS);
    expect(await databasesOf('slow')).toEqual({});
    expect(await create('slow.sales')).toMatchObject(SUCCESS);
  });

  it('is used at the address of its server by its name, in the data cluster that was asked for', async () => {
    expect(await create('orders.sales', { dataCluster: 'east', serviceObjective: 'S0' })).toMatchObject(SUCCESS);
    await sql('orders', 'sales', FILL);
    expect(await sql('orders', 'sales', 'SELECT current_database() AS name, current_user AS who')).toEqual([
      { name: 'sales', who: 'administrator' },
    ]);
    await expect(sql('orders', 'master', 'SELECT name FROM item')).rejects.toMatchObject({ code: '42P01' });
    expect(await databasesOf('orders')).toEqual({ sales: { database: 'orders.sales' } });
    await expect(plane.reeve.create(LogicalDatabase, 'orders.sales', 'create', {})).rejects.toMatchObject({
      code: 'already_done',
    });
  });

  it('is scaled: PostgreSQL gives it what its service objective says', async () => {
    const limit = `SELECT datconnlimit AS connections, current_setting('work_mem') AS memory FROM pg_database WHERE datname = 'sales'`;
    expect(await sql('orders', 'sales', limit)).toEqual([{ connections: 5, memory: '1MB' }]);
    expect(await raise('orders.sales', 'scale', { serviceObjective: 'S2' })).toMatchObject(SUCCESS);
    expect(await sql('orders', 'sales', limit)).toEqual([{ connections: 20, memory: '16MB' }]);
  });

  it('is renamed, with those who use it cut off, and back', async () => {
    const session = await openSession(plane.home, 'orders', { database: 'sales' });
    expect(await raise('orders.sales', 'rename', { name: 'revenue' })).toMatchObject(SUCCESS);
    await expect(session.query('SELECT 1')).rejects.toThrow();
    expect(await sql('orders', 'revenue', 'SELECT name FROM names')).toEqual([{ name: 'first' }]);
    await expect(sql('orders', 'sales', 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    expect((await read('orders.sales')).properties).toMatchObject({ name: 'revenue' });
    expect(await raise('orders.sales', 'rename', { name: 'sales' })).toMatchObject(SUCCESS);
  });

  it('keeps its name when that could not be changed', async () => {
    plane.failures.set('databases.renameDatabase orders.sales', 5);
    const result = await raise('orders.sales', 'rename', { name: 'revenue' });
    expect(result.errors).toContainEqual(expect.objectContaining({ code: 'provider_down' }));
    expect(await sql('orders', 'sales', 'SELECT name FROM names')).toEqual([{ name: 'first' }]);
    expect(await databasesOf('orders')).toEqual({ sales: { database: 'orders.sales' } });
  });

  it('is copied to another server while it is used: all comes along, and each goes its own way', async () => {
    const session = await openSession(plane.home, 'orders', { database: 'sales' });
    expect(await raise('orders.sales', 'copyTo', { server: 'archive', name: 'sales_2026' })).toMatchObject(SUCCESS);
    await session.query(`INSERT INTO item (name) VALUES ('second')`);
    await session.end();
    expect(await sql('archive', 'sales_2026', 'SELECT name, twice(21) AS n, current_user AS who FROM names')).toEqual([
      { name: 'first', n: 42, who: 'keeper' },
    ]);
    expect(await sql('archive', 'sales_2026', `INSERT INTO item (name) VALUES ('own') RETURNING id`)).toEqual([
      { id: 2 },
    ]);
    expect(await sql('archive', 'sales_2026', `SELECT rolname FROM pg_roles WHERE rolname = 'administrator'`)).toEqual(
      [],
    );
    expect((await read('orders.sales')).links).toMatchObject({ targetDatabase: 'archive.sales_2026' });
  });

  it('leaves nothing behind when it cannot be copied, and goes on', async () => {
    plane.failures.set('databases.createInstance archive.broken', 1_000);
    const result = await raise('orders.sales', 'copyTo', { server: 'archive', name: 'broken' });
    expect(result.outcome).toBe('failed');
    expect((await read('orders.sales')).state).toBe('Ready');
    expect((await plane.reeve.read({ type: 'LogicalDatabase', key: 'archive.broken' })).gone).toBe(true);
    expect(Object.keys((await databasesOf('archive')) ?? {})).toEqual(['sales_2026']);
    const taken = await raise('orders.sales', 'copyTo', { server: 'archive', name: 'sales_2026' });
    expect(taken.errors).toContainEqual(expect.objectContaining({ code: 'database_exists' }));
    expect(await sql('archive', 'sales_2026', 'SELECT count(*)::int FROM item')).toEqual([{ count: 2 }]);
  });

  it('stays where it is when it cannot be moved, and takes clients again', async () => {
    plane.failures.set('databases.createInstance orders.sales.2', 1_000);
    const result = await raise('orders.sales', 'moveTo', { server: 'archive', dataCluster: 'west' });
    expect(result.outcome).toBe('failed');
    expect(await read('orders.sales')).toMatchObject({ state: 'Ready', links: { server: 'orders' } });
    expect(await sql('orders', 'sales', 'SELECT count(*)::int FROM item')).toEqual([{ count: 2 }]);
    await expect(sql('archive', 'sales', 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    expect(Object.keys((await databasesOf('archive')) ?? {})).toEqual(['sales_2026']);
  });

  it('is moved to another server and data cluster, with everything, and is no longer where it was', async () => {
    expect(await raise('orders.sales', 'moveTo', { server: 'archive', dataCluster: 'west' })).toMatchObject(SUCCESS);
    expect(await sql('archive', 'sales', `INSERT INTO item (name) VALUES ('third') RETURNING id`)).toEqual([{ id: 3 }]);
    await expect(sql('orders', 'sales', 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    expect(await read('orders.sales')).toMatchObject({
      state: 'Ready',
      properties: { dataCluster: 'west' },
      links: { server: 'archive', application: 'orders.sales.3' },
    });
    expect(await databasesOf('orders')).toEqual({});
    expect(await databasesOf('archive')).toMatchObject({ sales: { database: 'orders.sales' } });
    expect(await takeInventory(plane.home, 'orders.sales')).toMatchObject({ instances: 1, processes: 1 });
  });

  it('is deleted, also with its server', async () => {
    expect(await raise('archive.sales_2026', 'delete')).toMatchObject(SUCCESS);
    expect(await takeInventory(plane.home, 'archive.sales_2026')).toMatchObject({ instances: 0, processes: 0 });
    const deletion = await plane.reeve.raise(LogicalServer, 'archive', 'delete');
    expect(await plane.reeve.operations.result(deletion)).toMatchObject(SUCCESS);
    expect((await plane.reeve.read({ type: 'LogicalDatabase', key: 'orders.sales' })).gone).toBe(true);
    expect(await takeInventory(plane.home, 'orders.sales')).toMatchObject({ instances: 0, processes: 0 });
    expect(await takeInventory(plane.home, 'archive')).toEqual({ instances: 0, processes: 0, aliases: 0, names: 0 });
  });
});
