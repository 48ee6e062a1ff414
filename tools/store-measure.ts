/*
 * `npm run store:measure`: measures how long the first and next pages of typical lists take, on a store that `store:fill` filled.
 */
import type { StoreReader } from '../src/store/index.js';
import { Random } from '../src/simulation/random.js';
import { LISTS, type List } from './store/lists.js';
import { TENANT_LISTS } from './store/tenant-lists.js';
import { TEXT_LISTS } from './store/text-lists.js';
import { readOptions, USAGE } from './store/options.js';
import { withStore } from './store/target.js';

/** How often each list is read, with other values each time. */
const ROUNDS = 20;
/** How long one list is measured, in milliseconds. A slow list is read less often. */
const LIST_MS = 10_000;
/** How long a first or next page may take, in milliseconds. */
const BUDGET_MS = 200;

try {
  const { url } = readOptions();
  await withStore(url, ({ reader }) => measureAll(reader));
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  console.error(`${thrown.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function measureAll(reader: StoreReader): Promise<void> {
  console.log(`${'ms'.padEnd(44)}  first p50    p95   next p50    p95`);
  let slow = 0;
  const lists = [...LISTS, ...TENANT_LISTS, ...TEXT_LISTS];
  for (const list of lists) {
    const { first, next } = await measure(reader, list);
    const times = [percentile(first, 0.5), percentile(first, 0.95), percentile(next, 0.5), percentile(next, 0.95)];
    const [a = '', b = '', c = '', d = ''] = times.map((time) => time.toFixed(1).padStart(6));
    console.log(`${list.name.padEnd(44)}     ${a} ${b}     ${c} ${d}`);
    if (times.some((time) => time > BUDGET_MS)) slow++;
  }
  console.log(
    slow === 0 ? `all within ${BUDGET_MS} ms` : `${slow} of ${lists.length} lists take more than ${BUDGET_MS} ms`,
  );
  process.exitCode = slow === 0 ? 0 : 1;
}

async function measure(reader: StoreReader, list: List) {
  const [first, next]: [number[], number[]] = [[], []];
  const end = performance.now() + LIST_MS;
  for (let round = 0; round < ROUNDS && performance.now() < end; round++) {
    let startedAt = performance.now();
    let rows = await list.page(reader, new Random(round));
    first.push(performance.now() - startedAt);
    for (let page = 0; page < 3 && rows.length > 0; page++) {
      startedAt = performance.now();
      rows = await list.page(reader, new Random(round), rows.at(-1));
      next.push(performance.now() - startedAt);
    }
  }
  return { first, next };
}

/** A percentile of times. It is 0 without times, since an empty list has no next page. */
function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
