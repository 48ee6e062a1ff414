import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryLedger, type JobLedger } from '../../src/distributed/index.js';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.js';
import { useMortalServer } from '../store/server.js';

const server = useMortalServer();
const job = {
  instance: 'shop/lines/build/1',
  partition: 7,
  target: 'shop/lines',
  type: 'build',
  argument: { index: 'by_sku' },
  assignment: 0,
};

async function postgres(url?: string): Promise<PostgresLedger> {
  const ledger = new PostgresLedger(url ?? (await server.database()));
  onTestFinished(() => ledger.close());
  return ledger;
}

describe.each([
  ['in memory', async (): Promise<JobLedger> => new MemoryLedger()],
  ['in PostgreSQL', (): Promise<JobLedger> => postgres()],
])('the records of the jobs of a place, %s (I2)', (_, make) => {
  let ledger: JobLedger;
  beforeEach(async () => {
    ledger = await make();
  });

  it('keep what was noted, and give it to whoever comes with a higher number', async () => {
    expect(await ledger.open({ ...job, number: 3 })).toEqual({ ...job, number: 3, attempts: 1, state: 'running' });
    expect(await ledger.write({ ...job, number: 3 }, { progress: { done: 1, total: 2 } })).toBe(true);
    expect(await ledger.open({ ...job, number: 5 })).toEqual({
      ...{ ...job, number: 5, attempts: 2, state: 'running', progress: { done: 1, total: 2 } },
    });
    expect(await ledger.write({ ...job, number: 5 }, { state: 'complete', result: ['a', null] })).toBe(true);
    expect(await ledger.records()).toEqual([
      { ...job, number: 5, attempts: 2, state: 'complete', result: ['a', null], progress: { done: 1, total: 2 } },
    ]);
    // One that has ended is not begun again.
    expect(await ledger.open({ ...job, number: 6 })).toMatchObject({ attempts: 2 });
  });

  it('fence who comes with a lower number', async () => {
    await ledger.open({ ...job, number: 5 });
    expect(await ledger.open({ ...job, number: 4 })).toBe('fenced');
    expect(await ledger.write({ ...job, number: 4 }, { state: 'complete' })).toBe(false);
    await ledger.remove({ ...job, number: 4 });
    expect(await ledger.records()).toMatchObject([{ number: 5, state: 'running' }]);
  });

  it('of jobs that have ended go together, and no other', async () => {
    for (const partition of [1, 2, 3, 4]) await ledger.open({ ...job, partition, number: partition === 4 ? 9 : 5 });
    await ledger.write({ ...job, partition: 1, number: 5 }, { state: 'complete' });
    await ledger.write({ ...job, partition: 2, number: 5 }, { state: 'failed' });
    await ledger.write({ ...job, partition: 4, number: 9 }, { state: 'complete' });
    await ledger.open({ ...job, instance: 'orders/buildIndex/2', partition: 1, number: 5 });
    await ledger.removeEnded({ instance: job.instance, partitions: [1, 2, 3, 4], number: 6 });
    const left = (await ledger.records()).map(({ instance, partition }) => `${instance}#${partition}`);
    expect(left.sort()).toEqual([`${job.instance}#3`, `${job.instance}#4`, 'orders/buildIndex/2#1'].sort());
  });

  it('keep their assignment until they are begun anew under another one (I1)', async () => {
    await ledger.open({ ...job, number: 3 });
    await ledger.write({ ...job, number: 3 }, { state: 'complete', result: 7, progress: { done: 2, total: 2 } });
    expect(await ledger.open({ ...job, number: 9, assignment: 8 })).toMatchObject({
      number: 9,
      assignment: 0,
      result: 7,
    });
    const anew = { assignment: 8, attempts: 1, state: 'running', result: undefined, progress: undefined } as const;
    expect(await ledger.write({ ...job, number: 8 }, anew)).toBe(false);
    expect(await ledger.write({ ...job, number: 9 }, anew)).toBe(true);
    expect(await ledger.records()).toEqual([{ ...job, number: 9, assignment: 8, attempts: 1, state: 'running' }]);
  });

  it('are gone when they are removed, and then nobody can change them', async () => {
    await ledger.open({ ...job, number: 5 });
    await ledger.open({ ...job, number: 5, partition: 8 });
    await ledger.remove({ ...job, number: 6 });
    expect(await ledger.records()).toMatchObject([{ partition: 8 }]);
    expect(await ledger.write({ ...job, number: 5 }, { state: 'complete' })).toBe(false);
  });
});

describe('the records in PostgreSQL (I2)', () => {
  it('of the original are not those of a copy, and are removed from it', async () => {
    const url = await server.database();
    const [original, copy] = [new PostgresLedger(url, 'sales'), new PostgresLedger(url, 'sales.2')];
    onTestFinished(() => original.close());
    onTestFinished(() => copy.close());
    await original.open({ ...job, number: 5 });
    expect(await copy.records()).toEqual([]);
    expect(await copy.open({ ...job, number: 3 })).toMatchObject({ number: 3 });
    expect(await keepersIn(url)).toEqual(['sales.2']);
  });

  it('are not made by somebody who only looks', async () => {
    const url = await server.database();
    expect(await (await postgres(url)).records()).toEqual([]);
    expect(await keepersIn(url)).toBeUndefined();
  });

  it('are one table for all who begin at once, and outlive them', async () => {
    const url = await server.database();
    const ledgers = await Promise.all(Array.from({ length: 5 }, () => postgres(url)));
    await Promise.all(ledgers.map((ledger, index) => ledger.open({ ...job, number: 1, partition: index })));
    expect(await (await postgres(url)).records()).toHaveLength(5);
  });

  it('say what is wrong while the database is unavailable, and go on when it is back', async () => {
    const ledger = await postgres();
    await server.stop();
    await expect(ledger.records()).rejects.toThrow(/ECONNREFUSED|connect/);
    await server.start();
    await ledger.open({ ...job, number: 1 });
    expect(await ledger.records()).toHaveLength(1);
  });
});

/** Whose records are in a database; nothing where there is no table of them. */
async function keepersIn(url: string): Promise<readonly string[] | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: string | null }>(`SELECT to_regclass('reeve_jobs.job') AS there`);
    if (!rows[0]?.there) return undefined;
    return (await client.query<{ keeper: string }>('SELECT keeper FROM reeve_jobs.job')).rows.map(
      ({ keeper }) => keeper,
    );
  } finally {
    await client.end();
  }
}
