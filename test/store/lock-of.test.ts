import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockOf, showingLocks } from '../../activities/tables/lock-of.js';
import type { JobLock } from '../../src/distributed/index.js';
import { until } from '../support/until.js';
import { useServer } from './server.js';

const server = useServer();
const clients: pg.Client[] = [];
let [holder, waiting, looking]: pg.Client[] = [];

beforeAll(async () => {
  const url = await server.database();
  for (const name of ['holder', 'waiting', 'looking'])
    clients.push(new pg.Client({ connectionString: url, application_name: name }));
  for (const client of clients) await client.connect();
  [holder, waiting, looking] = clients;
});
afterAll(() => Promise.all(clients.map((client) => client.end())));

const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

it('a job that waits for a lock of PostgreSQL shows the table and who holds it, until it has the lock (A4)', async () => {
  await holder!.query('create table meadow (id integer)');
  const [held, pid] = [await pidOf(holder!), await pidOf(waiting!)];
  expect(await lockOf(looking!, pid)).toBeUndefined();
  await holder!.query('begin; lock table meadow');
  const shown: (JobLock | undefined)[] = [];
  const context = { waitsForLock: (lock?: JobLock) => void shown.push(lock) };
  const work = showingLocks(
    context,
    () => lockOf(looking!, pid),
    () => waiting!.query('alter table meadow add column name text'),
  );
  await until(async () =>
    expect(shown).toContainEqual({
      message: `It waits in PostgreSQL for a lock of meadow, held by holder (pid ${held}, idle in transaction).`,
      pids: [held],
    }),
  );
  await holder!.query('commit');
  await work;
  expect(shown.at(-1)).toBeUndefined();
});
