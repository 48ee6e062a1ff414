import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoreRecord } from '../../src/protocol/records.js';
import { createPool } from '../../src/store/pool.js';
import { writeKept, writeOffered } from '../../src/store/writing/write-records.js';
import { randomNumbers } from '../support/random.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useServer } from './server.js';

const server = useServer();
const error = { kind: 'retryable' as const, code: 'provider_down', message: 'no answer' };
const exception = { kind: 'defect' as const, code: 'defect', message: 'TypeError: x' };
const TABLES = ['operations', 'events', 'transitions', 'entities', 'errors'];
const SEEDS = 15;

/** Lists what three entities tell, in the order in which it happens. The last two have the same key, one after the other. */
function story(): readonly StoreRecord[] {
  const lives = [entity('orders'), entity('billing', 'first'), entity('billing', 'second')];
  return lives.flatMap((ref, index) => {
    const request = `create-${ref.life}`;
    const bornAt = START + index * 1_000;
    const own = { entity: ref, operation: request };
    const dimensions = { logical_server_id: ref.key };
    const raised = event(request, { ...own, startedAt: bornAt, dimensions });
    const opened = operation(request, { startedAt: bornAt, dimensions });
    return [
      opened,
      raised,
      { ...raised, restarts: 1, exception },
      ...[1, 2, 3].map((version) =>
        transition(version, { ...own, event: request, at: bornAt + version, error: exception }),
      ),
      ...[1, 2].map((version) => standing(version, { entity: ref, bornAt, at: bornAt + version, operation: request })),
      { ...opened, outcome: 'hung' },
      standing(3, { entity: ref, bornAt, at: bornAt + 3 }),
      standing(3, { entity: ref, bornAt, at: bornAt + 9, properties: { port: 5 } }),
      { ...raised, restarts: 1, exception, endedAt: bornAt + 3, endState: 'Ready', endHealth: 'normal', error },
      { ...opened, outcome: 'failed', error, endedAt: bornAt + 4 },
    ];
  });
}

/** All rows, without what tells when and how they were written. */
async function rows(pool: pg.Pool): Promise<readonly unknown[]> {
  const content = (table: string) =>
    pool.query(`select to_jsonb(t) - 'written_at' - 'kept' as row from reeve_data.${table} t order by 1`);
  return (await Promise.all(TABLES.map(content))).map((result) => result.rows);
}

/** In another order, some of them several times, and a few at a time. */
function shuffled(records: readonly StoreRecord[], seed: number): readonly (readonly StoreRecord[])[] {
  const next = randomNumbers(seed);
  const placed = records
    .flatMap((record) => (next() < 0.3 ? [record, record] : [record]))
    .map((record) => ({ record, place: next() }))
    .sort((a, b) => a.place - b.place);
  const pieces: StoreRecord[][] = [[]];
  for (const { record } of placed) {
    if (next() < 0.2) pieces.push([]);
    pieces.at(-1)?.push(record);
  }
  return pieces;
}

function fail(table: string, _: object, reason: string): never {
  throw new Error(`${table}: ${reason}`);
}

async function openPool(): Promise<pg.Pool> {
  const { url } = await server.store();
  const pool = createPool({ url, connections: 4, name: 'test' });
  onTestFinished(() => pool.end());
  return pool;
}

const clear = (pool: pg.Pool) => pool.query(`truncate ${[...TABLES, 'lives'].map((t) => `reeve_data.${t}`).join()}`);

describe('records in any order, any number of times, in any pieces', () => {
  const offer = async (pool: pg.Pool, seed: number) => {
    for (const piece of shuffled(story(), seed)) await writeOffered(pool, piece, fail);
  };
  const keep = async (pool: pg.Pool, seed: number) => {
    for (const piece of shuffled(story(), seed)) await writeKept(pool, piece, fail);
  };
  const atOnce = async (pool: pg.Pool, seed: number) => {
    await Promise.all(shuffled(story(), seed).map((piece) => writeOffered(pool, piece, fail)));
  };
  const both = async (pool: pg.Pool, seed: number) => {
    await Promise.all([offer(pool, seed), keep(pool, seed + SEEDS)]);
  };

  it.each([
    ['offered', offer],
    ['offered by several at once', atOnce],
    ['kept', keep],
    ['offered, and kept at the same time', both],
  ])('make the same rows when they are %s (S5.2)', async (_, write) => {
    const pool = await openPool();
    await writeKept(pool, story(), fail);
    const expected = await rows(pool);
    for (let seed = 1; seed <= SEEDS; seed++) {
      await clear(pool);
      await write(pool, seed);
      expect(await rows(pool), `seed ${seed}`).toEqual(expected);
    }
  });

  it('cost no write when they come again (S5.2)', async () => {
    const pool = await openPool();
    await writeKept(pool, story(), fail);
    const versions = () =>
      Promise.all(TABLES.map(async (t) => (await pool.query(`select ctid, xmin from reeve_data.${t}`)).rows));
    const before = await versions();
    await writeKept(pool, story(), fail);
    await writeOffered(pool, story(), fail);
    expect(await versions()).toEqual(before);
  });
});
