import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryLedger, type JobLedger } from '../../src/distributed/index.js';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.js';
import { useServer } from '../store/server.js';

const server = useServer();
const job = {
  instance: 'shop/lines/build/1',
  partition: 7,
  target: 'shop/lines',
  type: 'build',
  argument: { index: 'by_sku' },
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
    expect(await ledger.open({ ...job, number: 3 })).toEqual({ ...job, number: 3, state: 'running' });
    expect(await ledger.write({ ...job, number: 3 }, { progress: { done: 1, total: 2 } })).toBe(true);
    expect(await ledger.open({ ...job, number: 5 })).toEqual({
      ...{ ...job, number: 5, state: 'running', progress: { done: 1, total: 2 } },
    });
    expect(await ledger.write({ ...job, number: 5 }, { state: 'complete', result: ['a', null] })).toBe(true);
    expect(await ledger.records()).toEqual([
      { ...job, number: 5, state: 'complete', result: ['a', null], progress: { done: 1, total: 2 } },
    ]);
  });

  it('fence who comes with a lower number', async () => {
    await ledger.open({ ...job, number: 5 });
    expect(await ledger.open({ ...job, number: 4 })).toBe('fenced');
    expect(await ledger.write({ ...job, number: 4 }, { state: 'complete' })).toBe(false);
    await ledger.remove({ ...job, number: 4 });
    expect(await ledger.records()).toMatchObject([{ number: 5, state: 'running' }]);
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
  it('are one table for all who begin at once, and outlive them', async () => {
    const url = await server.database();
    const ledgers = await Promise.all(Array.from({ length: 5 }, () => postgres(url)));
    await Promise.all(ledgers.map((ledger, index) => ledger.open({ ...job, number: 1, partition: index })));
    expect(await (await postgres(url)).records()).toHaveLength(5);
  });

  it('say what is wrong while the database is away, and go on when it is back', async () => {
    const ledger = await postgres();
    await server.stop();
    await expect(ledger.records()).rejects.toThrow(/ECONNREFUSED|connect/);
    await server.start();
    await ledger.open({ ...job, number: 1 });
    expect(await ledger.records()).toHaveLength(1);
  });
});
