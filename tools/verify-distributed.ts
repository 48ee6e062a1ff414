import { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { DistributedOperations } from '../src/client/distributed.js';
import { PostgresLedger } from '../src/ledger/postgres-ledger.js';
import { Random } from '../src/simulation/index.js';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { recordedPid } from '../src/stack/process-record.js';
import { startStack } from '../src/stack/stack.js';
import { stopAll } from '../src/stack/stop-all.js';
import { createDatabase } from '../src/store/index.js';
import { bundleWorkflows } from '../src/temporal/bundle.js';
import { connect } from '../src/temporal/connection.js';
import { registerSearchAttributes } from '../src/temporal/search-attributes.js';
import { DEFAULT_TASK_QUEUE } from '../src/protocol/names.js';
import { estimateOff } from './distributed/estimate.js';
import { examineField } from './distributed/examine.js';
import { Field, PLACES, TARGET } from './distributed/field.js';
import { Mortals } from './mortals.js';
import type { ProcessSettings } from './distributed/settings.js';
import { ensurePostgres, stopPostgres } from '../src/stack/postgres.js';
import { examineStore, prepareStore } from './distributed/store.js';
import { membersOf } from '../src/distributed/index.js';
import { steer } from './distributed/steer.js';
import { replayAll } from './replay/histories.js';
import { patiently } from './replay/patience.js';
import { wholeOptions } from './whole-options.js';

const HELP = `npm run verify-distributed -- [--kills N] [--partitions N] [--rows N] [--seed N]

Operations stamp and survey the rows of a field whose partitions lie at three places, while executors and workers are ended,
gently and by SIGKILL, primaries move, and the Temporal service is killed twice. Once an executor is away for a minute while its
partitions go to and fro, and the store is away as long. At the end every operation has to have
succeeded, every row has to be stamped at one place, nothing may be left, each completion counts once, and every history is
replayed. A second after a pause, a limit or a cancel nothing more may begin. With --kills 0, the end that is estimated after a fifth
of the work may be off by 15 %. The store has to have every job, at the place where it counts, and every attempt. I1 to I6, S5.1, S5.2

  --kills N       how many processes are ended (default: 30)
  --partitions N  how many partitions the field has (default: 200)
  --rows N        how many rows each of them has (default: 800)
  --seed N        make other random choices (default: 1)

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

/** How many operations run at once; each starts another one when it is complete. */
const STAMPS = 3;
/** After which part of the work the end is estimated, where nothing is killed, and by which part of its time it may be off. */
const ESTIMATED_AFTER = 0.2;
const MOST_OFF = 0.15;
const MOVES = 5;
const TEMPORAL_KILLS = 2;
/** For how long an executor and the store are away, and how often partitions go to and fro meanwhile. */
const AWAY_MS = 60_000;
const TO_AND_FRO = 4;
/** The rows that one process has under way at most: its lanes, with a batch for each. */
const ROWS_UNDER_WAY = 6 * STAMPS * 20;

interface Options {
  readonly kills: number;
  readonly partitions: number;
  readonly rows: number;
  readonly seed: number;
}

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  const options = wholeOptions(HELP, { kills: [30, 0], partitions: [200, 1], rows: [800, 1], seed: [1, 1] });
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
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'distributed-'));
  undo.push(() => rm(home, { recursive: true, force: true }));
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const { code } = await bundleWorkflows({
    workflowsPath: path('./distributed/workflows.js'),
    declarations: [path('./distributed/operations.js')],
  });
  const bundle = join(home, 'bundle.js');
  await writeFile(bundle, code);
  const stack = await startStack({ home, report });
  undo.push(() => stack.stop());
  const { address, namespace } = stack.temporal;
  const connection = await connect({ address });
  undo.push(() => connection.close());
  await registerSearchAttributes(connection, namespace);
  const client = new Client({ connection, namespace });
  const distributed = new DistributedOperations({ client, taskQueue: DEFAULT_TASK_QUEUE });

  const database = async (name: string) => {
    const url = Object.assign(new URL(stack.databaseUrl), { pathname: `/${name}` }).href;
    await createDatabase(url);
    return url;
  };
  const fieldUrl = await database('field');
  const field = new Field(fieldUrl);
  undo.push(() => field.close());
  await field.create(partitions);
  const mortals = new Mortals<ProcessSettings>(new URL('./distributed/mortal.js', import.meta.url), report);
  undo.push(() => mortals.endAll());
  const settings = new Map<string, object>();
  for (const place of PLACES) settings.set(place, { place, ledgerUrl: await database(place) });
  const storeFolder = join(home, 'store');
  undo.push(() => stopPostgres(storeFolder));
  const storeServer = await ensurePostgres(storeFolder);
  const storeUrl = storeServer.url('reeve');
  await createDatabase(storeUrl);
  await prepareStore(storeUrl);
  for (const name of ['worker 1', 'worker 2']) settings.set(name, { bundle, storeUrl });
  const start = (name: string) => {
    const maxCached = random.pick([2, undefined, undefined]);
    return mortals.start(name, {
      address,
      fieldUrl,
      ...settings.get(name),
      ...(maxCached !== undefined && { maxCached }),
    });
  };
  for (const name of settings.keys()) await start(name);

  const refs = await Promise.all(
    Array.from({ length: STAMPS }, (_, index) =>
      patiently('start', () => distributed.start('stamp', TARGET, { mark: `mark ${index}`, rows })),
    ),
  );
  const results = async (type: string) =>
    Promise.all(refs.map((ref) => patiently('result', () => distributed.result({ ...ref, type }))));
  const estimates =
    kills === 0 ? Promise.all(refs.map((ref) => estimateOff(distributed, ref, ESTIMATED_AFTER))) : undefined;
  let isOver = false;
  // Surveys are numbered in the order in which the stampings were complete.
  const ended = results('stamp')
    .then(async (stamps) => [...stamps, ...(await results('survey'))])
    .finally(() => (isOver = true));
  ended.catch(() => undefined);
  let lost = 0;
  // Only an executor that is killed, or cannot reach Temporal, begins attempts of which nobody hears: those of the jobs at hand.
  let cutOff = 0;
  const movedPartitions = new Set<number>();
  const move = async (partitionsToMove: readonly number[], to: string) => {
    for (const partition of partitionsToMove) movedPartitions.add(partition);
    await field.move(partitionsToMove, to);
  };
  const noteAtHand = async (place: string) => {
    cutOff += await jobsAtHand((settings.get(place) as { readonly ledgerUrl: string }).ledgerUrl);
  };
  if (kills > 0) {
    await delay(2_000);
    report('an executor and the store are away for a minute');
    await stopPostgres(storeFolder);
    await mortals.end('north', 'SIGKILL');
    await noteAtHand('north');
    lost += ROWS_UNDER_WAY;
    const { places } = await field.placement();
    const moved = membersOf(places['north']!.primary).filter((_, place) => place % 3 === 0);
    for (let turn = 0; turn < TO_AND_FRO; turn++) {
      await delay(AWAY_MS / TO_AND_FRO);
      await move(moved, turn % 2 === 0 ? 'south' : 'north');
    }
    await ensurePostgres(storeFolder, { port: storeServer.port });
    await start('north');
  }
  for (let kill = 0; kill < kills && !isOver; kill++) {
    await delay(500 + random.next() * 1_500);
    const name = random.pick([...settings.keys(), ...PLACES]);
    const signal = random.chance(0.7) ? 'SIGKILL' : 'SIGTERM';
    await mortals.end(name, signal);
    if (signal === 'SIGKILL' && PLACES.includes(name)) await noteAtHand(name);
    lost += ROWS_UNDER_WAY;
    if (random.chance(0.3)) await delay(random.next() * 3_000);
    if (kill % Math.ceil(kills / MOVES) === 0) {
      const moved = Array.from({ length: Math.ceil(partitions / 10) }, () => random.below(partitions));
      await move(moved, random.pick(PLACES));
    }
    if (kill % Math.ceil(kills / TEMPORAL_KILLS) === 1) {
      const pid = await recordedPid({ home, name: 'temporal' });
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      lost += PLACES.length * ROWS_UNDER_WAY;
      for (const place of PLACES) await noteAtHand(place);
    }
    await start(name);
  }
  const killed = mortals.ended;
  if (isOver && killed < kills) report(`the work was over after ${killed} kills: give more partitions or rows`);

  const problems: string[] = [];
  for (const { outcome, reason, type, instance } of await ended)
    if (outcome !== 'succeeded') problems.push(`${type}/${instance} has ${outcome}: ${reason}`);
  problems.push(
    ...(await examineField(field, { stamps: STAMPS, partitions, rows, lost })),
    ...(await examineStore(storeUrl, field, {
      ...{ operations: 2 * STAMPS, partitions, report },
      ...{ cutOff, moved: movedPartitions },
    })),
    ...(await steer(distributed, field, rows)),
    ...(await leftOver(settings)),
  );
  for (const off of (await estimates) ?? []) {
    report(`after a fifth of the work, the estimated end was off by ${(100 * off).toFixed(0)} %`);
    if (off > MOST_OFF) problems.push(`an estimated end was off by ${(100 * off).toFixed(0)} %`);
  }
  const { histories, problems: unreplayed } = await replayAll(client, code, join(dataDirectoryFrom(), 'replay-failed'));
  problems.push(...unreplayed);
  for (const problem of problems) console.log(pc.red(problem));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${2 * STAMPS} operations on ${partitions} partitions, ${killed} processes ended, ${histories} histories replayed, ` +
      `${problems.length} problems, in ${seconds} s`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** The records of jobs that are left. An executor that was away while its place was tidied up does so when it looks. I2 */
async function leftOver(settings: ReadonlyMap<string, object>): Promise<readonly string[]> {
  for (const until = Date.now() + 90_000; ;) {
    const left: string[] = [];
    for (const [name, { ledgerUrl }] of settings as ReadonlyMap<string, { ledgerUrl?: string }>) {
      if (ledgerUrl === undefined) continue;
      const ledger = new PostgresLedger(ledgerUrl);
      const records = await ledger.records();
      await ledger.close();
      if (records.length > 0)
        left.push(`${records.length} records of jobs are left at ${name}: ${JSON.stringify(records[0])}`);
    }
    if (left.length === 0 || Date.now() > until) return left;
    await delay(1_000);
  }
}

/** How many jobs a place has begun that have not ended: each of its lanes has one of them at hand. */
async function jobsAtHand(ledgerUrl: string): Promise<number> {
  const ledger = new PostgresLedger(ledgerUrl);
  try {
    return (await ledger.records()).filter(({ state }) => state === 'running').length;
  } finally {
    await ledger.close();
  }
}
