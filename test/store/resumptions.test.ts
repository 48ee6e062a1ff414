import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Resumption } from '../../src/protocol/resumption.js';
import { createPool } from '../../src/store/pool.js';
import { noteResumptions } from '../../src/store/writing/resumptions.js';
import { until } from '../support/until.js';
import { entity, event, operation, standing } from './records.js';
import { useServer, type TestStore } from './server.js';

const server = useServer();
const resumption: Resumption = { entity: entity(), goesOn: [{ operation: 'create-orders', event: 'create-orders' }] };

async function begun(): Promise<TestStore> {
  const store = await server.store();
  await store.writer.keep([
    operation('create-orders', { restarts: 1 }),
    event('create-orders', { restarts: 1 }),
    event('other', { operation: 'other', startVersion: 1 }),
    standing(1),
  ]);
  return store;
}

const holderOf = async (store: TestStore) =>
  (await store.query('select writer from reeve_data.entities'))[0]?.['writer'];

/** Gives the entity to a process whose last sign of life is from this time, or that has taken its sign away. */
async function held(store: TestStore, seenAt?: 'long ago' | 'later'): Promise<void> {
  const writer = randomUUID();
  await store.query('update reeve_data.entities set writer = $1', [writer]);
  if (seenAt === undefined) return;
  const distance = seenAt === 'later' ? '1 minute' : '-1 minute';
  await store.query(`insert into reeve_data.writers values ($1, now() + $2::interval)`, [writer, distance]);
}

/** Lets another process go on with the entity. */
async function resumed(store: TestStore, told = resumption): Promise<TestStore['writer']> {
  const before = await holderOf(store);
  const writer = server.writerOn(store.url);
  writer.resume(told);
  await until(async () => expect(await holderOf(store)).not.toBe(before));
  return writer;
}

/** Reads the restart counts of both events and of the operation of the first one. */
async function counted(store: TestStore): Promise<readonly unknown[]> {
  const { reader } = store;
  const events = reader.selectFrom('state_machine_events').select('restart_count').orderBy('event_id');
  const operations = reader.selectFrom('operations').select('restart_count');
  return [...(await events.execute()), ...(await operations.execute())].map((row) => row.restart_count);
}

describe('restart_count (S5.1)', () => {
  it('counts what another worker took up while it waited, where the worker before had died', async () => {
    const store = await begun();
    await held(store, 'long ago');
    const second = await resumed(store);
    expect(await counted(store)).toEqual([2, 0, 2]);
    // The same process has read the history again, since it needed its memory for others.
    second.resume(resumption);
    await second.close();
    expect(await counted(store)).toEqual([2, 0, 2]);
    await held(store, 'long ago');
    // A resumption that is told twice at once is one resumption.
    const pool = createPool({ url: store.url, connections: 1, name: 'test' });
    await noteResumptions(pool, [resumption, resumption], randomUUID());
    await pool.end();
    expect(await counted(store)).toEqual([3, 0, 3]);
    await held(store, 'long ago');
    await resumed(store, {
      ...resumption,
      goesOn: [{ operation: 'other', event: 'other' }, { operation: 'create-orders' }],
    });
    expect(await counted(store)).toEqual([3, 1, 4]);
  });

  it('does not count what a living worker had no memory for, nor what a worker has left that was stopped', async () => {
    const store = await begun();
    await held(store, 'later');
    const second = await resumed(store);
    expect(await store.query('select from reeve_data.resumptions')).toHaveLength(1);
    expect(await counted(store)).toEqual([1, 0, 1]);
    // The one before lived on for long, and has died since: that was not why the entity went on elsewhere.
    await store.query(`update reeve_data.resumptions set at = now() - interval '1 hour'`);
    await store.query(`update reeve_data.writers set seen_at = now() - interval '1 minute'`);
    expect(await counted(store)).toEqual([1, 0, 1]);
    // It gives signs of life from then on, until it ends.
    const signs = () => store.query('select from reeve_data.writers where writer = $1', [holder]);
    const holder = await holderOf(store);
    await until(async () => expect(await signs()).toHaveLength(1));
    await second.close();
    expect(await signs()).toEqual([]);
    await resumed(store);
    expect(await store.query('select from reeve_data.resumptions')).toHaveLength(2);
    expect(await counted(store)).toEqual([1, 0, 1]);
  });

  it('is not told of an entity whose process nobody knows, nor of one that is not there', async () => {
    const store = await begun();
    expect(await holderOf(store)).toBeNull();
    const second = await resumed(store);
    second.resume({ ...resumption, entity: entity('orders', 'another life') });
    second.resume({ ...resumption, entity: entity('absent') });
    await second.close();
    expect(await store.query('select from reeve_data.resumptions')).toEqual([]);
  });

  it('asks whose process wrote the row of an entity, and not who kept it for good', async () => {
    const store = await begun();
    const second = server.writerOn(store.url);
    second.offer([standing(2)]);
    await until(async () => expect(await holderOf(store)).not.toBeNull());
    const holder = await holderOf(store);
    await server.writerOn(store.url).keep([standing(3)]);
    expect(await store.query('select version, writer from reeve_data.entities')).toEqual([
      { version: 3, writer: holder },
    ]);
    expect(await store.query('select writer from reeve_data.writers')).toEqual([{ writer: holder }]);
  });
});
