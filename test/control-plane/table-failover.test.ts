import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostClient } from '../../activities/host/client.js';
import { Sessions } from '../../activities/tables/sessions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { PartitionedTable } from '../../workflows/partitioned-table/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { runSql } from '../support/server-session.js';
import { startTableExecutors } from '../support/table-executors.js';

const TABLE = 'orders.sales/line_items';
const PARTITIONS = 4;
const rule = { column: 'quantity', min: 0 };

let plane: TestControlPlane;
let stopExecutors: () => Promise<void>;

/* A server in the east with a standby in the west, and a table in a database of it. */
beforeAll(async () => {
  plane = await startTestControlPlane({
    rooms: new Map([
      ['east', 10],
      ['west', 10],
    ]),
  });
  stopExecutors = startTableExecutors(plane, ['east', 'west']);
  const { reeve } = plane;
  await reeve.operations.result(await reeve.create(LogicalServer, 'orders', 'create', { dataCluster: 'east' }));
  await reeve.operations.result(await reeve.create(LogicalDatabase, 'orders.sales', 'create', { dataCluster: 'east' }));
  const columns = [
    { name: 'id', type: 'bigint', notNull: false },
    { name: 'quantity', type: 'integer', notNull: false },
  ];
  await reeve.operations.result(
    await reeve.create(PartitionedTable, TABLE, 'create', { columns, partitions: PARTITIONS }),
  );
  await sql(`INSERT INTO line_items SELECT id, id % 90 FROM generate_series(1, 2000) AS id`);
  await onServer('addStandby', { dataCluster: 'west' });
}, 240_000);
afterAll(async () => {
  await stopExecutors();
  await plane.close();
});

const sql = (text: string) => runSql(plane.home, 'orders', text, { database: 'sales' });
const part = async () => (await plane.places.find(TABLE))!.parts[0]!;

async function onServer(event: 'addStandby' | 'failover', params: object) {
  const { reeve } = plane;
  const outcome = await reeve.operations.result(
    await reeve.raiseAny(LogicalServer, 'orders', event, { params: params as never }),
  );
  expect(outcome).toMatchObject({ outcome: 'success', errors: [] });
}

function asSuperuser<T>(application: string, database: string, work: (client: pg.Client) => Promise<T>) {
  return new Sessions(new HostClient(plane.home)).use(application, database, 'test', work);
}

const VALID = `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indisvalid AND indexrelid::regclass::text LIKE 'by_quantity%' ORDER BY 1`;
const ALL = ['by_quantity', ...Array.from({ length: PARTITIONS }, (_, at) => `by_quantity_p${at}`)];

const validIn = async (application: string) =>
  asSuperuser(application, 'sales', async (client) =>
    (await client.query<{ name: string }>(VALID)).rows.map(({ name }) => name),
  );

describe('operations over a table that has a standby (I7)', { timeout: 240_000 }, () => {
  it('check the rows of the standby, once it has come to where the primary is', async () => {
    const { distributed } = plane.reeve;
    const { standby } = await part();
    expect(standby).toMatchObject({ place: 'west' });
    await sql('UPDATE line_items SET quantity = -1 WHERE id IN (7, 77, 777)');
    const instance = await distributed.start('validate', TABLE, { name: 'positive', rule });
    const { reason } = await distributed.result(instance);
    expect(reason).toMatch(/^orders\.sales\/line_items: 3 rows break 'positive': /);
    for (const id of ['7', '77', '777']) expect(reason).toMatch(new RegExp(`\\b${id}\\b`));
    await sql('UPDATE line_items SET quantity = 1 WHERE quantity < 0');
  });

  it('build the index on whoever is primary at the end, and the next failover is not refused', async () => {
    const { distributed } = plane.reeve;
    const before = await part();
    // A transaction that stays open keeps the builds from ending, until the failover ends it.
    const held = asSuperuser(before.primary.application, 'sales', async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM line_items');
      const instance = await distributed.start('buildIndex', TABLE, { index: 'by_quantity', columns: ['quantity'] });
      // A transaction sees the activity of others as it was when it looked first.
      const isBuilding = () =>
        asSuperuser(
          before.primary.application,
          'sales',
          async (other) => (await other.query('SELECT FROM pg_stat_progress_create_index')).rowCount,
        );
      await expect.poll(isBuilding, { timeout: 60_000 }).toBeGreaterThan(0);
      await onServer('failover', { allowDataLoss: false });
      return instance;
    });
    const instance = await held;
    expect(await distributed.result(instance)).toMatchObject({ outcome: 'succeeded' });
    const after = await part();
    expect(after.primary).toEqual(before.standby);
    expect(await validIn(after.primary.application)).toEqual(ALL);
    await onServer('addStandby', { dataCluster: 'east' });
    expect(await validIn((await part()).standby!.application)).toEqual(ALL);
    await onServer('failover', { allowDataLoss: false });
    expect((await part()).primary).toMatchObject({ place: 'east' });
    expect(await validIn((await part()).primary.application)).toEqual(ALL);
  });

  it('leave the standby fit to take over while an index is half built', async () => {
    const { distributed } = plane.reeve;
    await onServer('addStandby', { dataCluster: 'west' });
    const { primary, standby } = await part();
    const inspect = () => new HostClient(plane.home).request('GET', ['instances', standby!.application, 'standby']);
    await asSuperuser(standby!.application, 'sales', async (client) => {
      // The primary has its indexes, and those of the standby wait for this.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM line_items');
      const instance = await distributed.start('buildIndex', TABLE, { index: 'by_id', columns: ['id'] });
      const built = async () =>
        asSuperuser(
          primary.application,
          'sales',
          async (other) =>
            (await other.query(`SELECT FROM pg_index WHERE indisvalid AND indexrelid::regclass::text LIKE 'by_id%'`))
              .rowCount,
        );
      await expect.poll(built, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(await inspect()).toMatchObject({ healthy: true });
      await client.query('COMMIT');
      expect(await distributed.result(instance)).toMatchObject({ outcome: 'succeeded' });
    });
    expect(await inspect()).toMatchObject({ healthy: true });
    const making = await asSuperuser(primary.application, 'postgres', (client) =>
      client.query('SELECT name FROM reeve_jobs.making'),
    );
    expect(making.rows).toEqual([]);
  });
});
