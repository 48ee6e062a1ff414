/*
 * `npm run store:fill`: fills a store with what many entities have done in a month, to measure how fast it can be read.
 */
import type { StoreRecord } from '../src/protocol/records.js';
import { createPool } from '../src/store/pool.js';
import { writeOffered } from '../src/store/writing/write-records.js';
import { readOptions, USAGE, type StoreOptions } from './store/options.js';
import { past } from './store/past.js';
import { withStore } from './store/target.js';

const BATCH = 4_000;
const DAYS = 30;
/** The end of the month. It is always the same time, so that filling again writes the same rows. */
const UNTIL = Date.UTC(2026, 5, 30);

try {
  const options = readOptions();
  await withStore(options.url, (_, url) => fill(url, options));
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  console.error(`${thrown.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function fill(url: string, { entities, transitions }: StoreOptions): Promise<void> {
  const pool = createPool({ url, connections: 1, name: 'reeve fill', begin: 'set synchronous_commit = off' });
  const startedAt = Date.now();
  let [waiting, written]: [StoreRecord[], number] = [[], 0];
  const write = async () => {
    await writeOffered(pool, waiting, (table, row, reason) => {
      throw new Error(`The store rejects a row of ${table}: ${reason}. The row is ${JSON.stringify(row)}`);
    });
    written += waiting.length;
    waiting = [];
    if (process.stderr.isTTY) process.stderr.write(`\r${written} rows, ${speed(written, startedAt)} in a second `);
  };
  for (const records of past({ entities, transitions, days: DAYS, until: UNTIL })) {
    waiting.push(...records);
    if (waiting.length >= BATCH) await write();
  }
  await write();
  console.log(`\n${written} rows in ${seconds(startedAt).toFixed(1)} s: ${speed(written, startedAt)} in a second`);
  await pool.query('vacuum analyze');
  await pool.end();
}

function seconds(since: number): number {
  return (Date.now() - since) / 1_000;
}

function speed(rows: number, since: number): string {
  return (rows / seconds(since)).toFixed(0);
}
