import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourcesFolder } from '../../activities/host/host-file.js';
import { ensurePostgres, runningPid } from '../../src/stack/postgres.js';
import { takeInventory } from '../../tools/recovery/inventory.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, THREE_CLUSTERS, type TestControlPlane } from '../support/control-plane.js';
import { runSql } from '../support/server-session.js';
import { until } from '../support/until.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane({ rooms: THREE_CLUSTERS });
  await plane.reeve.operations.result(await plane.reeve.create(LogicalServer, 'orders', 'create', {}));
  await plane.reeve.operations.result(await plane.reeve.create(LogicalDatabase, 'orders.sales', 'create', {}));
  await sql('sales', `CREATE TABLE item (id serial PRIMARY KEY, name text); INSERT INTO item (name) VALUES ('first')`);
});
afterAll(async () => plane.close());

const sql = (database: string, text: string) => runSql(plane.home, 'orders', text, { database });
const read = async (type: string, key: string) => (await plane.reeve.read({ type, key })).snapshot;
const folder = (cluster: string, name: string) => join(resourcesFolder(plane.home), 'instances', cluster, name);

async function raise(event: 'addStandby' | 'removeStandby' | 'failover' | 'delete', params?: unknown) {
  const taken = await plane.reeve.raiseAny(LogicalServer, 'orders', event, { params });
  return plane.reeve.operations.result(taken);
}

async function onStandby(text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({
    connectionString: (await ensurePostgres(folder('main', 'orders.sales.3'))).url('sales'),
  });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const SUCCESS = { outcome: 'success', errors: [] };

/** Each instance is copied, started and stopped for real. */
const timeout = 240_000;

describe('the failover of a logical server (S6.4)', { timeout }, () => {
  it('is refused while there is no standby', async () => {
    expect((await raise('failover', {})).errors).toContainEqual(expect.objectContaining({ code: 'no_standby' }));
  });

  it('leads clients at the same address to the standbys in another data cluster, with all rows', async () => {
    expect(await raise('addStandby', { dataCluster: 'east' })).toMatchObject(SUCCESS);
    await sql('sales', `INSERT INTO item (name) VALUES ('second')`);
    // Its inspection would make the standby anew.
    plane.failures.set('databases.inspectStandby orders.2', 1_000);
    await sql('master', `CREATE TABLE setting (name text)`);
    const stale = await raise('failover', {});
    expect(stale.errors).toContainEqual(expect.objectContaining({ code: 'standby_stale' }));
    expect(await sql('sales', 'SELECT count(*)::int FROM item')).toEqual([{ count: 2 }]);
    await sql('master', `DROP TABLE setting`);

    expect(await raise('failover', {})).toMatchObject(SUCCESS);
    expect(await sql('sales', `INSERT INTO item (name) VALUES ('third') RETURNING id`)).toEqual([{ id: 3 }]);
    expect(await sql('master', 'SELECT current_user AS who')).toEqual([{ who: 'administrator' }]);
    expect(await read('LogicalServer', 'orders')).toMatchObject({
      state: 'Ready',
      properties: { dataCluster: 'east' },
      links: { application: 'orders.2', former: ['orders'] },
    });
    expect(await read('LogicalDatabase', 'orders.sales')).toMatchObject({
      properties: { dataCluster: 'east' },
      links: { application: 'orders.sales.2', former: ['orders.sales'] },
    });
    expect((await read('SqlApplication', 'orders')).state).toBe('Fenced');
    expect(await runningPid(folder('main', 'orders'))).toBeUndefined();
  });

  it('does without servers that are lost when the loss of data is allowed, back in the first data cluster', async () => {
    expect(await raise('addStandby', { dataCluster: 'main' })).toMatchObject(SUCCESS);
    await sql('sales', `INSERT INTO item (name) VALUES ('fourth')`);
    await until(async () => expect(await onStandby('SELECT count(*)::int FROM item')).toEqual([{ count: 4 }]));
    for (const name of ['orders.2', 'orders.sales.2']) {
      // It is started again at once, so it is broken first.
      await rm(join(folder('east', name), 'data', 'global'), { recursive: true });
      process.kill((await runningPid(folder('east', name)))!, 'SIGKILL');
    }
    const refused = await raise('failover', {});
    expect(refused.errors).toContainEqual(expect.objectContaining({ code: 'primary_unreachable' }));
    expect(await raise('failover', { allowDataLoss: true })).toMatchObject(SUCCESS);
    expect(await sql('sales', `INSERT INTO item (name) VALUES ('fifth') RETURNING id`)).toEqual([{ id: 5 }]);
  });

  it('goes on with a database that came later, and ends with the server: nothing is left', async () => {
    expect(await raise('addStandby', { dataCluster: 'east' })).toMatchObject(SUCCESS);
    const later = await plane.reeve.create(LogicalDatabase, 'orders.later', 'create', {});
    expect(await plane.reeve.operations.result(later)).toMatchObject(SUCCESS);
    expect((await read('SqlApplication', 'orders.later.2')).state).toBe('Following');
    expect(await raise('removeStandby')).toMatchObject(SUCCESS);
    expect((await read('LogicalDatabase', 'orders.later')).links).toMatchObject({ application: 'orders.later' });
    expect(await raise('delete')).toMatchObject(SUCCESS);
    expect(await takeInventory(plane.home, 'orders')).toEqual({ instances: 0, processes: 0, aliases: 0, names: 0 });
  });
});
