import pg from 'pg';
import { buildIndex } from '../../../activities/tables/operations/build-index.js';
import { partitionIndex } from '../../../activities/tables/partition-index.js';
import { partitionTable } from '../../../activities/values/table.js';
import { stopAll } from '../../../src/stack/stop-all.js';
import { startTablePlane, type TablePlane } from '../../tables/plane.js';
import { TABLE } from '../../tables/rows.js';
import { compare, type Row } from '../comparison.js';
import type { Values } from '../case.js';

/** The part that `npm run bench -- --only distributed` measures, and how much of it. */
export const DISTRIBUTED = 'distributed';
const DATABASE = 'sales';
const COLUMN = 'price';
/** Small partitions, whose indexes take milliseconds each, and such for which people need the night. */
const FULL = [
  { partitions: 200, rows: 2_000_000, rounds: 3 },
  { partitions: 200, rows: 20_000_000, rounds: 2 },
];
const QUICK = [{ partitions: 40, rows: 200_000, rounds: 2 }];

type Size = (typeof FULL)[number];

/**
 * The time that an index on all partitions of a table takes: by `buildIndex`, and by a script that has as many sessions at once and does
 * the same statements, as people do by hand. The rounds alternate. I7
 */
export async function measureIndexBuild(quick: boolean, report: (line: string) => void): Promise<readonly Row[]> {
  const measured: Row[] = [];
  for (const size of quick ? QUICK : FULL) measured.push(...(await measureTable(size, report)));
  return measured;
}

async function measureTable(
  { partitions, rows, rounds }: Size,
  report: (line: string) => void,
): Promise<readonly Row[]> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const plane = await startTablePlane({ databases: [DATABASE], partitions, rows }, undo, report);
    const values: { raw: Values[]; reeve: Values[] } = { raw: [], reeve: [] };
    // The first round of each does not count: it reads the rows from the disk.
    for (let round = 0; round <= rounds; round++)
      for (const side of ['raw', 'reeve'] as const) {
        const index = `${side}_${round}`;
        const ms = await timed(() => (side === 'raw' ? byHand(plane, index) : byReeve(plane, index)));
        report(`${side === 'raw' ? 'by hand' : 'buildIndex'}: ${(ms / 1_000).toFixed(1)} s`);
        if (round > 0) values[side].push({ ms });
        await inSession(plane, (client) => client.query(`DROP INDEX ${pg.escapeIdentifier(index)}`));
      }
    const title = `an index on ${partitions} partitions of ${rows} rows, beside a script`;
    const figure = { name: 'ms', title, unit: 'ms', budget: { of: 'ratio', atMost: 1.2 } } as const;
    return compare({ name: DISTRIBUTED, figures: [figure] }, values);
  } finally {
    await stopAll(undo as (() => Promise<void>)[]);
  }
}

async function byReeve({ reeve: { distributed }, target }: TablePlane, index: string): Promise<void> {
  const started = await distributed.start(buildIndex.type, target, { index, columns: [COLUMN] });
  const { outcome, reason } = await distributed.result(started);
  if (outcome !== 'succeeded') throw new Error(`buildIndex has ${outcome}: ${reason}`);
}

/** Sessions take one partition after the other, until the index is on all; then it becomes one of the table. */
async function byHand(plane: TablePlane, index: string): Promise<void> {
  const { partitions } = await plane.table();
  const left = Array.from({ length: partitions }, (_, partition) => partition).reverse();
  const on = (partition: number) => ({
    name: pg.escapeIdentifier(partitionIndex(index, partition)),
    table: pg.escapeIdentifier(partitionTable(TABLE, partition)),
  });
  const build = async (client: pg.Client) => {
    for (let partition = left.pop(); partition !== undefined; partition = left.pop())
      await client.query(`CREATE INDEX CONCURRENTLY ${on(partition).name} ON ${on(partition).table} (${COLUMN})`);
  };
  await Promise.all(Array.from({ length: buildIndex.atOnce! }, () => inSession(plane, build)));
  await inSession(plane, async (client) => {
    const whole = pg.escapeIdentifier(index);
    await client.query(`CREATE INDEX ${whole} ON ONLY ${TABLE} (${COLUMN})`);
    for (let partition = 0; partition < partitions; partition++)
      await client.query(`ALTER INDEX ${whole} ATTACH PARTITION ${on(partition).name}`);
  });
}

async function inSession<T>(plane: TablePlane, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const [part] = (await plane.table()).parts;
  return plane.sessions.use(part!.primary.application, part!.database, 'bench', work);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
