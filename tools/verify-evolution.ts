/*
 * `npm run verify-evolution`: over 10,000 live entities in a store of its own, the counts of `reeve diff --live` are exact, and
 * all migrations are tried within a minute, there and back. Q2
 */
import { findInStore } from '../src/cli/commands/diff/live.js';
import type { StoreRecord } from '../src/protocol/records.js';
import { compareModels } from '../src/definition/evolution/compare.js';
import { modelOf } from '../src/definition/evolution/model.js';
import { createDatabase, openStore } from '../src/store/index.js';
import { createPool } from '../src/store/pool.js';
import { writeOffered } from '../src/store/writing/write-records.js';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { ensurePostgres, stopPostgres } from '../src/stack/postgres.js';
import { join } from 'node:path';
import { OldOrder, Order, orders, type Truth } from './evolution/orders.js';

const LIVE = 10_000;
const BATCH = 2_000;
const MOST_MS = 60_000;

const folder = join(dataDirectoryFrom(), 'evolution-measure');
const url = (await ensurePostgres(folder)).url(`evolution_${process.pid}`);
try {
  await createDatabase(url);
  const store = openStore({ url, dimensions: [], warn: console.error });
  try {
    await store.migrate();
    const truth: Truth = { live: 0, paused: 0, gold: 0, lost: 0, pauses: 0 };
    await fill(truth);
    process.exitCode = (await measure(truth)) ? 0 : 1;
  } finally {
    await store.close();
  }

  async function measure(truth: Truth): Promise<boolean> {
    const [old, next] = [modelOf({ entities: [OldOrder] }), modelOf({ entities: [Order] })];
    const changes = compareModels(old, next);
    const startedAt = Date.now();
    const { touched, tried = [] } = await findInStore(store.reader, changes, { old, next }, [Order]);
    const ms = Date.now() - startedAt;
    const of = (place: string) => touched.get(changes.find((each) => each.place === place && each.touches)!);
    const [trial] = tried;
    const found: readonly (readonly [string, unknown, unknown])[] = [
      ['live entities that a new property touches', of('Order.properties.plan')?.entities, truth.live],
      ['live entities in a state that is gone', of('Order.states.Paused')?.entities, truth.paused],
      ["'pause' raised in 30 days", of('Order.events.pause')?.raised, truth.pauses],
      ['migrations tried', trial?.tried, truth.live],
      ['of them with a plan that does not fit, or lost on the way back', trial?.failed, truth.gold + truth.lost],
    ];
    for (const [what, is, wanted] of found)
      console.log(`${is === wanted ? 'exact' : 'WRONG'}  ${what}: ${is}, and it is ${wanted}`);
    console.log(
      `${trial?.tried} migrations tried in ${trial?.ms} ms, all counts and migrations in ${ms} ms, of ${MOST_MS} at most`,
    );
    for (const { problem } of (trial?.problems ?? []).slice(0, 2)) console.log(`a problem: ${problem}`);
    return found.every(([, is, wanted]) => is === wanted) && ms <= MOST_MS;
  }
} finally {
  await stopPostgres(folder);
}

async function fill(truth: Truth): Promise<void> {
  const pool = createPool({ url, connections: 1, name: 'reeve fill', begin: 'set synchronous_commit = off' });
  const waiting: StoreRecord[] = [];
  const write = () =>
    writeOffered(pool, waiting.splice(0), (table, row, reason) => {
      throw new Error(`${table} refuses ${JSON.stringify(row)}: ${String(reason)}`);
    });
  for (const records of orders(LIVE, Date.now(), truth)) {
    waiting.push(...records);
    if (waiting.length >= BATCH) await write();
  }
  await write();
  await pool.end();
}
