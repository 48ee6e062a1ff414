import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostClient } from '../../activities/host/client.js';
import { Sessions } from '../../activities/tables/sessions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { PartitionedTable } from '../../workflows/partitioned-table/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { openSession, runSql } from '../support/server-session.js';
import { startTableExecutors } from '../support/table-executors.js';

const TABLE = 'orders.sales/line_items';
const DATABASES = ['sales', 'archive'] as const;
const PARTITIONS = 8;
const ROWS = 4_000;

let plane: TestControlPlane;
let stopExecutors: () => Promise<void>;

beforeAll(async () => {
  plane = await startTestControlPlane({
    rooms: new Map([
      ['east', 10],
      ['west', 10],
    ]),
  });
  const { reeve } = plane;
  stopExecutors = startTableExecutors(plane, ['east', 'west']);
  await reeve.operations.result(await reeve.create(LogicalServer, 'orders', 'create', { dataCluster: 'east' }));
  for (const [name, dataCluster] of [
    ['sales', 'east'],
    ['archive', 'west'],
  ] as const)
    await reeve.operations.result(await reeve.create(LogicalDatabase, `orders.${name}`, 'create', { dataCluster }));
}, 240_000);
afterAll(async () => {
  await stopExecutors();
  await plane.close();
});

const sql = (database: string, text: string) => runSql(plane.home, 'orders', text, { database });

async function createTable(key: string, params: object) {
  const { reeve } = plane;
  const outcome = await reeve.operations.result(await reeve.create(PartitionedTable, key, 'create', params as never));
  return outcome;
}

/** Fills the table: each database takes the rows of its own partitions. */
async function fill(table: string, rows: number): Promise<void> {
  for (const [at, database] of DATABASES.entries()) {
    const half = PARTITIONS / 2;
    const mine = Array.from(
      { length: half },
      (_, index) => `satisfies_hash_partition('${table}'::regclass, ${PARTITIONS}, ${at * half + index}, id::bigint)`,
    );
    await sql(
      database,
      `INSERT INTO ${table} SELECT id, 'sku' || id, id % 90 FROM generate_series(1::bigint, ${rows}) AS id WHERE ${mine.join(' OR ')}`,
    );
  }
}

/** Lists what there is of an index in each database: its name, and whether it is valid. */
async function indexes(like: string): Promise<readonly unknown[]> {
  const all = await Promise.all(
    DATABASES.map((database) =>
      sql(
        database,
        `SELECT indexrelid::regclass::text AS name FROM pg_index
         WHERE indisvalid AND indexrelid::regclass::text LIKE '${like}%' ORDER BY 1`,
      ),
    ),
  );
  return all.map((rows) => rows.map((row) => (row as { readonly name: string }).name));
}

const COLUMNS = [
  { name: 'id', type: 'bigint' },
  { name: 'sku', type: 'text' },
  { name: 'quantity', type: 'integer' },
];

describe('tables with partitions (I7)', { timeout: 240_000 }, () => {
  it('spread the partitions over the databases, each of which takes only its own rows', async () => {
    const made = await createTable(TABLE, { columns: COLUMNS, partitions: PARTITIONS, alsoIn: ['orders.archive'] });
    expect(made).toMatchObject({ outcome: 'success' });
    await fill('line_items', ROWS);
    const counts = await Promise.all(
      DATABASES.map((each) => sql(each, 'SELECT count(*)::int AS rows FROM line_items')),
    );
    const rows = counts.map(([row]) => (row as { readonly rows: number }).rows);
    expect(rows[0]! + rows[1]!).toBe(ROWS);
    expect(Math.min(...rows)).toBeGreaterThan(ROWS / 3);
    expect(await plane.places.find(TABLE)).toMatchObject({
      partitions: PARTITIONS,
      parts: [
        { first: 0, last: 3, primary: { place: 'east' } },
        { first: 4, last: 7, primary: { place: 'west' } },
      ],
    });
  });

  it('say what PostgreSQL does not take, and leave nothing', async () => {
    const columns = [{ name: 'id', type: 'bigunt' }];
    expect(await createTable('orders.sales/wrong', { columns })).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'invalid_table', message: expect.stringContaining('type "bigunt" does not exist') }],
    });
    expect(await sql('sales', `SELECT to_regclass('wrong') AS wrong`)).toEqual([{ wrong: null }]);
  });

  it('neither take nor drop a table that somebody else has made', async () => {
    await sql('archive', 'CREATE TABLE mine (id bigint)');
    const made = await createTable('orders.sales/mine', { columns: COLUMNS, alsoIn: ['orders.archive'] });
    expect(made).toMatchObject({ outcome: 'failed', errors: [{ code: 'table_exists' }] });
    expect(await sql('archive', `SELECT to_regclass('mine') AS mine`)).toEqual([{ mine: 'mine' }]);
    expect(await sql('sales', `SELECT to_regclass('mine') AS mine`)).toEqual([{ mine: null }]);
  });
});

describe('an index on all partitions (I7)', { timeout: 240_000 }, () => {
  it('is refused where it could never be built, and nothing is left (I8)', async () => {
    const { distributed } = plane.reeve;
    const start = (target: string, argument: object) => distributed.start('buildIndex', target, argument);
    await expect(start(TABLE, { index: 'by_sku', columns: ['skew'] })).rejects.toMatchObject({
      code: 'unknown_column',
      message: expect.stringContaining(`has no column 'skew'. It has: id, sku, quantity.`),
    });
    await expect(start(TABLE, { index: 'line_items', columns: ['sku'] })).rejects.toMatchObject({
      code: 'index_exists',
    });
    await expect(start('orders.sales/none', { index: 'by_sku', columns: ['sku'] })).rejects.toMatchObject({
      code: 'unknown_target',
    });
    await expect(start(TABLE, { index: 'By Sku', columns: [] })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect((await distributed.list()).rows ?? []).toEqual([]);
  });

  it('is built while clients write, and is a part of the table at the end', async () => {
    const { distributed } = plane.reeve;
    const instance = await distributed.start('buildIndex', TABLE, { index: 'by_sku', columns: ['sku'] });
    await sql('sales', `UPDATE line_items SET sku = 'changed' WHERE id % 10 = 0`);
    expect(await distributed.result(instance)).toMatchObject({ outcome: 'succeeded', jobs: { all: 8, succeeded: 8 } });
    expect(await indexes('by_sku')).toEqual([
      ['by_sku', 'by_sku_p0', 'by_sku_p1', 'by_sku_p2', 'by_sku_p3'],
      ['by_sku', 'by_sku_p4', 'by_sku_p5', 'by_sku_p6', 'by_sku_p7'],
    ]);
    await expectNoRecords();
  });

  it('is taken away whole when it is cancelled', async () => {
    const { distributed } = plane.reeve;
    // A transaction that stays open keeps the build from ending.
    const instance = await holdingSnapshot('archive', async () => {
      const started = await distributed.start('buildIndex', TABLE, { index: 'by_quantity', columns: ['quantity'] });
      await expect.poll(async () => (await indexes('by_quantity'))[0], { timeout: 60_000 }).toHaveLength(4);
      await distributed.cancel(started);
      return started;
    });
    expect(await distributed.result(instance)).toMatchObject({ outcome: 'cancelled' });
    for (const database of DATABASES)
      expect(await sql(database, `SELECT relname FROM pg_class WHERE relname LIKE 'by_quantity%'`)).toEqual([]);
    await expectNoRecords();
  });
});

describe('the rows of all partitions (I7)', { timeout: 240_000 }, () => {
  const rule = { column: 'quantity', min: 0 };

  it('are checked, and those that break the rule are counted and named', async () => {
    const { distributed } = plane.reeve;
    await sql(
      'sales',
      'UPDATE line_items SET quantity = -1 WHERE id IN (SELECT id FROM line_items ORDER BY id LIMIT 3)',
    );
    const wrong = await sql('sales', 'SELECT id::text FROM line_items WHERE quantity < 0 ORDER BY id');
    const instance = await distributed.start('validate', TABLE, { name: 'positive', rule, batch: 100 });
    const { outcome, reason } = await distributed.result(instance);
    expect(outcome).toBe('failed');
    expect(reason).toContain(`3 rows break 'positive': `);
    for (const row of wrong) expect(reason).toContain((row as { readonly id: string }).id);
    await expectNoRecords();
  });

  it('keep a constraint from before the first row is read', async () => {
    const { distributed } = plane.reeve;
    await sql('sales', 'UPDATE line_items SET quantity = 0 WHERE quantity < 0');
    const argument = { name: 'positive', rule, constraint: true };
    const instance = await distributed.start('validate', TABLE, argument);
    expect(await distributed.result(instance)).toMatchObject({ outcome: 'succeeded' });
    for (const database of DATABASES) {
      const constraints = `SELECT convalidated FROM pg_constraint WHERE conname = 'positive' AND conrelid = 'line_items'::regclass`;
      expect(await sql(database, constraints)).toEqual([{ convalidated: true }]);
    }
    const refused = sql('sales', 'UPDATE line_items SET quantity = -1');
    await expect(refused).rejects.toThrow(/violates check constraint "positive"/);
    await expect(distributed.start('validate', TABLE, argument)).rejects.toMatchObject({ code: 'constraint_exists' });
  });

  it('are checked with the rights of their owner alone, whatever a rule calls', async () => {
    const { distributed } = plane.reeve;
    for (const database of DATABASES)
      await sql(
        database,
        `CREATE FUNCTION grab(id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
         BEGIN
           EXECUTE 'RESET ROLE';
           EXECUTE 'RESET SESSION AUTHORIZATION';
           RETURN NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user);
         END $$`,
      );
    const argument = { name: 'grabbed', rule: { check: 'grab(id)' }, constraint: true };
    expect(await distributed.result(await distributed.start('validate', TABLE, argument))).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it('end the check where a rule fails by itself, since another try would fail too', async () => {
    const { distributed } = plane.reeve;
    const instance = await distributed.start('validate', TABLE, {
      name: 'odd',
      rule: { check: '1 / (quantity % 7) >= 0' },
    });
    const { outcome, reason } = await distributed.result(instance);
    expect(outcome).toBe('failed');
    expect(reason).toContain('division by zero');
  });

  it('are not checked while a session has the table locked, and the answer names it (I8)', async () => {
    const holder = await openSession(plane.home, 'orders', { database: 'sales' });
    await holder.query(`SET application_name = 'a-report'`);
    await holder.query('BEGIN; LOCK TABLE line_items IN ACCESS EXCLUSIVE MODE');
    const start = () =>
      plane.reeve.distributed.start('validate', TABLE, { name: 'unlocked', rule: { notNull: 'sku' } });
    await expect(start()).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(
        /^orders\.sales\/line_items cannot be checked now\. It waits in PostgreSQL for a lock of line_items, held by a-report \(pid \d+, idle in transaction\)\./,
      ),
    });
    await holder.end();
    const started = await start();
    expect(await plane.reeve.distributed.result(started)).toMatchObject({ outcome: 'succeeded' });
  });

  it('are not checked by a rule that PostgreSQL does not take, or that would do something (I8)', async () => {
    const start = (check: string) =>
      plane.reeve.distributed.start('validate', TABLE, { name: 'rule', rule: { check } });
    await expect(start('amount > 0')).rejects.toMatchObject({ code: 'invalid_rule' });
    await expect(start('true) FROM line_items; DROP TABLE line_items; --')).rejects.toMatchObject({
      code: 'invalid_rule',
    });
  });
});

/** No job has left a record in any instance. */
async function expectNoRecords(): Promise<void> {
  const sessions = new Sessions(new HostClient(plane.home));
  for (const application of ['orders.sales', 'orders.archive']) {
    const left = await sessions.use(application, 'postgres', 'test', (client) =>
      client.query('SELECT instance, partition, state FROM reeve_jobs.job'),
    );
    expect(left.rows).toEqual([]);
  }
}

/** Does something while a transaction in a database stays open, for whose end a concurrent build waits. */
async function holdingSnapshot<T>(database: string, work: () => Promise<T>): Promise<T> {
  const sessions = new Sessions(new HostClient(plane.home));
  return sessions.use(`orders.${database}`, database, 'test', async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT count(*) FROM line_items');
    return work();
  });
}
