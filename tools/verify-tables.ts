import { DefaultLogger, Runtime } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import type { LiveTable } from '../activities/tables/table-places.js';
import type { ReeveClient } from '../src/client/client.js';
import { StartRefused } from '../src/client/distributed.js';
import { newRequestId } from '../src/client/new-request-id.js';
import type { InstanceReading, InstanceRef } from '../src/distributed/index.js';
import { Random } from '../src/simulation/index.js';
import { recordedPid } from '../src/stack/process-record.js';
import { stopAll } from '../src/stack/stop-all.js';
import { LogicalDatabase } from '../workflows/logical-database/definition.js';
import { LogicalServer } from '../workflows/logical-server/definition.js';
import { patiently } from './replay/patience.js';
import { examineTable } from './tables/examine.js';
import { CLUSTERS, SERVER, startTablePlane } from './tables/plane.js';
import { PLANTED, plantedIds, TABLE } from './tables/rows.js';
import { Writer } from './tables/writer.js';
import { wholeOptions } from './whole-options.js';

const HELP = `npm run verify-tables -- [--kills N] [--partitions N] [--rows N] [--seed N]

Indexes are built on a table in PostgreSQL, and its rows are checked, again and again, while executors and workers are ended by
SIGKILL, the databases move between three data clusters, the Temporal service is killed twice, and a client writes. At the end
every operation must have ended as it has to, no index may be invalid or wrong, nothing may be left, and each of the ${PLANTED} rows
that break the rule must have been found each time, at last on standbys. I1 to I7

  --kills N       how many processes are ended (default: 30)
  --partitions N  how many partitions the table has (default: 200)
  --rows N        how many rows it has (default: 2000000)
  --seed N        make other random choices (default: 1)

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

const DATABASES = ['sales', 'archive'];
const MOVES = 5;
const TEMPORAL_KILLS = 2;
/** The pause before a start is repeated that was refused, in milliseconds. */
const AGAIN_MS = 500;
/** The pause between two looks at what runs, in milliseconds. */
const LOOK_MS = 200;
const RULE = { column: 'quantity', min: 0 };

interface Options {
  readonly kills: number;
  readonly partitions: number;
  readonly rows: number;
  readonly seed: number;
}

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  const options = wholeOptions(HELP, {
    kills: [30, 0],
    partitions: [200, DATABASES.length],
    rows: [2_000_000, PLANTED],
    seed: [1, 1],
  });
  const undo: (() => Promise<unknown>)[] = [];
  try {
    return await verify(options, undo);
  } finally {
    await stopAll(undo as (() => Promise<void>)[]);
  }
}

async function verify({ kills, partitions, rows, seed }: Options, undo: (() => Promise<unknown>)[]): Promise<number> {
  const startedAt = Date.now();
  const random = new Random(seed);
  const report = (line: string) => console.error(pc.dim(line.trimEnd()));
  const { home, host, reeve, sessions, target, table } = await startTablePlane(
    { databases: DATABASES, partitions, rows },
    undo,
    report,
  );
  const { distributed } = reeve;
  report(`${rows} rows in ${partitions} partitions after ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`);

  const writer = new Writer(host, SERVER, DATABASES, rows, random);
  undo.push(() => writer.stop());
  const problems: string[] = [];
  const built: string[] = [];
  let checks = 0;
  let isOver = false;
  const run = async (type: string, argument: object, watch?: (started: InstanceRef) => Promise<void>) => {
    const requestId = newRequestId();
    for (;;) {
      try {
        const started = await patiently('start', () => distributed.start(type, target, argument, { requestId }));
        const ending = patiently('result', () => distributed.result(started));
        if (watch) await watchUntil(ending, () => watch(started));
        return await ending;
      } catch (thrown) {
        // While a database moves, nothing is started on its tables.
        if (!(thrown instanceof StartRefused) || thrown.code !== 'database_unavailable') throw thrown;
        await delay(AGAIN_MS);
      }
    }
  };
  const expectPlanted = (name: string, { outcome, reason }: InstanceReading) => {
    const missing = plantedIds(rows).filter((id) => !new RegExp(`\\b${id}\\b`).test(reason ?? ''));
    if (outcome !== 'failed' || missing.length > 0 || !reason?.includes(`: ${PLANTED} rows break`))
      problems.push(`${name} has ${outcome}, without the rows ${missing.join(', ')}: ${reason}`);
  };
  const buildAgainAndAgain = async (name: string, column: string) => {
    for (let count = 1; !isOver; count++) {
      const index = `${name}_${count}`;
      const { outcome, reason } = await run('buildIndex', { index, columns: [column] });
      if (outcome === 'succeeded') built.push(index);
      else problems.push(`buildIndex of ${index} has ${outcome}: ${reason}`);
    }
  };
  const checkAgainAndAgain = async () => {
    for (; !isOver; checks++) {
      expectPlanted(`validate ${checks}`, await run('validate', { name: `check_${checks}`, rule: RULE, batch: 2_000 }));
    }
  };
  const working = Promise.all([
    buildAgainAndAgain('by_quantity', 'quantity'),
    buildAgainAndAgain('by_price', 'price'),
    buildAgainAndAgain('by_sku', 'sku'),
    checkAgainAndAgain(),
  ]);
  working.catch(() => (isOver = true));

  let moves = 0;
  const move = async () => {
    const name = random.pick(DATABASES);
    const event = { params: { dataCluster: random.pick(CLUSTERS) } };
    const moved = await patiently('move', async () =>
      reeve.operations.result(await reeve.raiseAny(LogicalDatabase, `${SERVER}.${name}`, 'moveTo', event)),
    ).catch((thrown: unknown) => report(`a move was refused: ${(thrown as Error).message}`));
    if (moved?.outcome === 'success') moves++;
  };
  let moving = Promise.resolve();
  let killed = 0;
  while (killed < kills && !isOver) {
    await delay(1_000 + random.next() * 2_000);
    const name = random.pick(['executor', 'executor', 'executor', 'worker']);
    if (killed % Math.ceil(kills / MOVES) === 0) moving = moving.then(move);
    if (killed % Math.ceil(kills / TEMPORAL_KILLS) === 1) await kill(home, 'temporal');
    if (await kill(home, name)) killed++;
  }
  isOver = true;
  await moving;
  await working;

  // The same rows are found on standbys, which nobody but the check reads.
  const cluster = await addStandbys(reeve, await table());
  const places = new Set<string>();
  const checking = run('validate', { name: 'on_standbys', rule: RULE, batch: 2_000 }, async (started) => {
    for (const { place } of (await distributed.read(started)).lanes) places.add(place);
  });
  expectPlanted('the check of standbys', await checking);
  if ([...places].join() !== cluster) problems.push(`the check of standbys in ${cluster} ran in ${[...places].join()}`);

  // Rows that break the rule are mended, and the rule becomes a constraint, while somebody writes.
  for (const { primary, database } of (await table()).parts)
    await sessions.use(primary.application, database, 'mend', (session) =>
      session.query(`UPDATE ${TABLE} SET quantity = 0 WHERE quantity < 0`),
    );
  const { outcome, reason } = await run('validate', { name: 'positive', rule: RULE, constraint: true });
  if (outcome !== 'succeeded') problems.push(`the last check has ${outcome}: ${reason}`);
  await writer.stop();
  problems.push(...(await examineTable(sessions, await table(), built)));
  for (const problem of problems) console.log(pc.red(problem));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${built.length} indexes built and ${checks + 2} checks of ${rows} rows in ${partitions} partitions, ${killed} processes ended, ` +
      `${moves} moves, ${writer.written} rows written meanwhile, ${problems.length} problems, in ${seconds} s`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** Gives the server and its databases standbys, in a data cluster where none of the primaries is. Gives that. */
async function addStandbys(reeve: ReeveClient, { parts }: LiveTable): Promise<string> {
  const primaries = parts.map(({ primary }) => primary.place);
  const dataCluster = CLUSTERS.find((cluster) => !primaries.includes(cluster))!;
  const { operations } = reeve;
  const added = await operations.result(
    await reeve.raiseAny(LogicalServer, SERVER, 'addStandby', { params: { dataCluster } }),
  );
  if (added.outcome !== 'success') throw new Error(`The server did not get a standby: ${JSON.stringify(added.errors)}`);
  return dataCluster;
}

/** Looks again and again until something has ended. */
async function watchUntil(ending: Promise<unknown>, look: () => Promise<void>): Promise<void> {
  let isOver = false;
  const end = () => void (isOver = true);
  ending.then(end, end);
  while (!isOver) {
    await look();
    await Promise.race([ending, delay(LOOK_MS)]);
  }
}

/** Ends a process of the control plane, which is started again. Gives whether there was one. */
async function kill(home: string, name: string): Promise<boolean> {
  const pid = await recordedPid({ home, name });
  if (pid === undefined) return false;
  process.kill(pid, 'SIGKILL');
  return true;
}
