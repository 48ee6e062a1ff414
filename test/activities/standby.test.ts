import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseProvider } from '../../activities/databases/provider.js';
import { HostClient } from '../../activities/host/client.js';
import { resourcesFolder } from '../../activities/host/host-file.js';
import { ensurePostgres, runningPid, stopPostgres } from '../../src/stack/postgres.js';
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
const primary = { application: 'orders', dataCluster: 'main' };
const standby = { application: 'orders.2', dataCluster: 'east', primary: 'orders' };
const promotion = { application: 'orders.2', primary: 'orders', allowDataLoss: false };

let home: string;
let host: HostProcess;
let databases: ReturnType<typeof databaseProvider>;

const folder = (cluster: string, name: string) => join(resourcesFolder(home), 'instances', cluster, name);

async function query(path: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: (await ensurePostgres(path)).url('sales') });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const onPrimary = (text: string) => query(folder('main', 'orders'), text);
const onStandby = (text: string) => query(folder('east', 'orders.2'), text);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'reeve-test-'));
  host = await HostProcess.start(home);
  databases = databaseProvider(new HostClient(home));
  await databases.createInstance(primary, context);
  await databases.createDatabase({ application: 'orders', database: 'sales' }, context);
  await onPrimary(`
    CREATE TABLE item (id serial PRIMARY KEY, name text);
    CREATE TABLE note (line text);
    CREATE VIEW names AS SELECT name FROM item;
    INSERT INTO item (name) VALUES ('before');
    INSERT INTO note VALUES ('one')`);
});
afterEach(async () => {
  await host.kill('SIGTERM');
  await rm(home, { recursive: true, force: true });
});

/** Each instance is copied, started and stopped for real. */
const timeout = 240_000;

describe('a standby (S6.4)', { timeout }, () => {
  it('takes over with all that was committed, and its primary takes no more clients; each call can be repeated', async () => {
    await databases.createStandby(standby, context);
    await databases.createStandby(standby, context);
    await onPrimary(`INSERT INTO item (name) VALUES ('after'); UPDATE note SET line = 'two'`);
    expect(await databases.inspectStandby(standby, context)).toMatchObject({ healthy: true });

    await databases.promoteStandby(promotion, context);
    await databases.promoteStandby(promotion, context);
    expect(await runningPid(folder('main', 'orders'))).toBeUndefined();
    expect(await onStandby('SELECT id, name FROM item ORDER BY id')).toEqual([
      { id: 1, name: 'before' },
      { id: 2, name: 'after' },
    ]);
    expect(await onStandby('SELECT line FROM note')).toEqual([{ line: 'two' }]);
    expect(await onStandby(`INSERT INTO item (name) VALUES ('new') RETURNING id`)).toEqual([{ id: 3 }]);
    expect(await onStandby('SELECT count(*)::int FROM names')).toEqual([{ count: 3 }]);
    expect(await onStandby('SELECT count(*)::int FROM pg_publication')).toEqual([{ count: 0 }]);
  });

  it('is made once when the host is killed while it is copied, and nothing unfinished stays', async () => {
    const creating = databases.createStandby(standby, context);
    await until(async () => {
      expect(await readdir(join(resourcesFolder(home), 'instances', 'east'))).not.toEqual([]);
    });
    await host.kill();
    host = await HostProcess.start(home);
    // On a busy machine the call gives up before the next host is there. It is made again, as a worker does.
    await Promise.allSettled([creating]);
    await databases.createStandby(standby, context);
    await onPrimary(`INSERT INTO item (name) VALUES ('after')`);
    await until(async () => expect(await onStandby('SELECT count(*)::int FROM item')).toEqual([{ count: 2 }]));
    expect(await readdir(join(resourcesFolder(home), 'instances', 'east'))).toEqual(['orders.2']);
    expect(await onPrimary('SELECT count(*)::int FROM pg_replication_slots')).toEqual([{ count: 1 }]);
  });

  it('is not fit and does not take over when a table was added, until it is made anew', async () => {
    await databases.createStandby(standby, context);
    await onPrimary(`CREATE TABLE later (id int); INSERT INTO later VALUES (1)`);
    expect(await databases.inspectStandby(standby, context)).toMatchObject({ healthy: false });
    await expect(databases.promoteStandby(promotion, context)).rejects.toMatchObject({ code: 'standby_stale' });
    expect(await onPrimary('SELECT id FROM later')).toEqual([{ id: 1 }]);

    await databases.dropInstance(standby, context);
    await databases.createStandby(standby, context);
    await databases.promoteStandby(promotion, context);
    expect(await onStandby('SELECT id FROM later')).toEqual([{ id: 1 }]);
  });

  it('does without a primary that is broken only when the loss of data is allowed', async () => {
    await databases.createStandby(standby, context);
    await onPrimary(`INSERT INTO item (name) VALUES ('after')`);
    await until(async () => expect(await onStandby('SELECT count(*)::int FROM item')).toEqual([{ count: 2 }]));
    await stopPostgres(folder('main', 'orders'));
    await rm(join(folder('main', 'orders'), 'data', 'global'), { recursive: true });
    // Nobody knows how far it is behind.
    expect(await databases.inspectStandby(standby, context)).toEqual({ healthy: true });
    await expect(databases.promoteStandby(promotion, context)).rejects.toMatchObject({ code: 'primary_unreachable' });
    await databases.promoteStandby({ ...promotion, allowDataLoss: true }, context);
    expect(await onStandby(`INSERT INTO item (name) VALUES ('new') RETURNING id`)).toEqual([{ id: 3 }]);
  });

  it('leaves nothing with its primary when it is dropped', async () => {
    await databases.createStandby(standby, context);
    await databases.dropInstance(standby, context);
    await databases.dropInstance(standby, context);
    expect(await onPrimary('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
    expect(await onPrimary('SELECT pubname FROM pg_publication')).toEqual([]);
    expect(await onPrimary(`SELECT nspname FROM pg_namespace WHERE nspname = 'reeve'`)).toEqual([]);
  });
});

describe('a copy of an instance (S6.4)', { timeout }, () => {
  it('is as the instance was, while that one is used', async () => {
    await databases.createInstance({ application: 'orders.2', dataCluster: 'east', copyOf: 'orders' }, context);
    await onPrimary(`INSERT INTO item (name) VALUES ('not in the copy')`);
    expect(await onStandby('SELECT name FROM names')).toEqual([{ name: 'before' }]);
    expect(await onStandby(`INSERT INTO item (name) VALUES ('new') RETURNING id`)).toEqual([{ id: 2 }]);
  });

  it('of one that is fenced is exact, and the fenced one is as before when it is released', async () => {
    await databases.fenceInstance(primary, context);
    expect(await runningPid(folder('main', 'orders'))).toBeUndefined();
    await databases.createInstance({ application: 'orders.2', dataCluster: 'east', copyOf: 'orders' }, context);
    expect(await onStandby('SELECT name FROM names')).toEqual([{ name: 'before' }]);
    await databases.releaseInstance(primary, context);
    expect(await onPrimary('SELECT name FROM names')).toEqual([{ name: 'before' }]);
  });
});
