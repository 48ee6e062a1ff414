import { DefaultLogger, Runtime } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { Random } from '../src/simulation/index.js';
import { replayAll } from './replay/histories.js';
import { Load } from './replay/load.js';
import { PATIENCE_MS } from './replay/patience.js';
import { DEPLOYMENT, startRig, type Rig } from './replay/rig.js';
import { TwoBuilds } from './replay/two-builds.js';
import type { WorkerProcesses } from './replay/worker-processes.js';
import { SEQUENCES } from './replay/sequences.js';

const HELP = `npm run verify-replay -- [--short | [--minutes N] [--only NAME] [--rounds N] | --builds [--minutes N]] [--seed N]

Ends workers, gently and by SIGKILL, while entities and operations of all kinds rest, wait or work, and while people raise events
and read. Before that, it runs the sequences of steps that once broke. At the end every history, open and closed, is replayed on
the present code, every operation has to have ended, and every event has to count once. S4.1, S4.1a

  --short      let people work for one minute, and run each short sequence once, as CI does
  --minutes N  let people work for N minutes while workers come and go (default: 20)
  --only NAME  do only this: load, or one of the sequences: ${SEQUENCES.map(({ name }) => name).join(', ')}
  --rounds N   run each sequence N times (default: 1)
  --builds     let two builds of the code take over from each other again and again while people work and workers of both are
               ended; neither could replay a history of the other (default: 3 minutes)
  --seed N     make other random choices (default: 1)

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

/** How long the workers are left alone, in milliseconds. */
const SHORTEST_PEACE_MS = 500;
const LONGEST_PEACE_MS = 5_000;
const PEOPLE = 32;
const WORKERS = 2;
/** How many entities stay in a worker's memory when they rest: one, few, or as many as fit. */
const CACHES = [1, 8, undefined, undefined, undefined];
const SHOWN = 20;
const LONGEST_PROBLEM = 600;

Runtime.install({ logger: new DefaultLogger('ERROR') });
// The process ends at once, since reads for which nobody waits any more may still be under way.
process.exit(await main());

async function main(): Promise<number> {
  let options: Options;
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string' },
        only: { type: 'string' },
        rounds: { type: 'string' },
        seed: { type: 'string', default: '1' },
        short: { type: 'boolean', default: false },
        builds: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const { seed, short, builds } = values;
    const only = builds ? 'load' : values.only;
    const minutes = Number(values.minutes ?? (short ? 1 : builds ? 3 : 20));
    const rounds = Number(values.rounds ?? 1);
    options = { minutes, only, rounds, seed: Number(seed), short, builds };
    if (builds && (short || values.only !== undefined))
      throw new TypeError('--builds goes with --minutes and --seed alone.');
    if (only !== undefined && only !== 'load' && !SEQUENCES.some(({ name }) => name === only)) {
      throw new TypeError(`There is no sequence '${only}'.`);
    }
    if (!(options.minutes > 0) || !Number.isInteger(options.rounds) || !Number.isInteger(options.seed)) {
      throw new TypeError('Write numbers for --minutes, --rounds and --seed. Rounds and seed are whole numbers.');
    }
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const random = new Random(options.seed);
  const report = (line: string) => console.error(pc.dim(line.trimEnd()));
  const rig = await startRig(() => random.next(), report);
  const startedAt = Date.now();
  try {
    const problems: string[] = [];
    const sequences = SEQUENCES.filter(({ name, long }) => (options.only ?? name) === name && !(options.short && long));
    for (const { name, title, run } of sequences) {
      for (let round = 0; round < options.rounds; round++) {
        const found = await run(rig, round);
        problems.push(...found);
        console.log(`${found.length === 0 ? pc.green('ok  ') : pc.red('FAIL')} ${name}, round ${round + 1}: ${title}`);
      }
    }
    const load = new Load(rig, () => random.next());
    const both = options.builds ? await TwoBuilds.start(rig, report) : undefined;
    const all = both?.builds ?? [{ name: undefined, code: rig.code, workers: rig.workers }];
    const pools = all.map((each) => each.workers);
    if (options.only === undefined || options.only === 'load') {
      let isOver = false;
      const taking = both?.run(() => isOver, report);
      taking?.catch((thrown: unknown) => problems.push(String(thrown)));
      problems.push(...(await workers(pools, load, options, random)));
      isOver = true;
      await taking?.catch(() => undefined);
    } else await rig.workers.start();
    problems.push(...load.problems, ...(await unended(rig)));
    await Promise.all(pools.map((each) => each.end('SIGTERM')));
    const folder = join(dataDirectoryFrom(), 'replay-failed');
    let histories = 0;
    for (const { name, code } of all) {
      const of = name === undefined ? undefined : `${DEPLOYMENT}:${name}`;
      const replayed = await replayAll(rig.client, code, folder, of);
      histories += replayed.histories;
      problems.push(...replayed.problems);
    }
    if (both) console.log(`the two builds have taken over ${both.taken} times`);
    const [ended, lost] = [sum(pools.map((each) => each.ended)), sum(pools.map((each) => each.lost))];
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
    for (const problem of problems.slice(0, SHOWN)) console.log(pc.red(problem.slice(0, LONGEST_PROBLEM)));
    if (problems.length > SHOWN) console.log(pc.red(`and ${problems.length - SHOWN} more`));
    if (load.operations > 0) console.log(`operations: ${load.durations}`);
    console.log(
      `${histories} histories replayed, ${ended} workers ended (and ${lost} by themselves), ${load.operations} operations ended under load, ` +
        `${problems.length} problems, in ${minutes} minutes`,
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await rig.stop();
  }
}

interface Options {
  readonly minutes: number;
  readonly only: string | undefined;
  readonly rounds: number;
  readonly seed: number;
  readonly short: boolean;
  readonly builds: boolean;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/** Lets people work while workers come and go. Gives what is wrong after it. */
async function workers(
  pools: readonly WorkerProcesses[],
  load: Load,
  { minutes, short }: { minutes: number; short: boolean },
  random: Random,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const pool of pools) for (let index = 0; index < WORKERS / pools.length; index++) await pool.start();
  await load.prepare();
  const working = load.run(PEOPLE);
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    await delay(SHORTEST_PEACE_MS + random.next() ** 2 * (LONGEST_PEACE_MS - SHORTEST_PEACE_MS));
    const all = random.chance(0.1);
    const pool = random.pick(pools);
    for (let index = 0; index < (all ? WORKERS : 1); index++) {
      await pool.endOldest(random.chance(0.5) ? 'SIGTERM' : 'SIGKILL');
    }
    if (all) await delay(random.next() * 2_000);
    for (let index = 0; index < (all ? WORKERS : 1); index++) await pool.start(random.pick(CACHES));
  }
  load.end();
  await working;
  await load.examine(!short).catch((thrown: unknown) => problems.push(String(thrown)));
  return problems;
}

/** The operations that do not end, though nobody has worked for a while. */
async function unended({ client }: Rig): Promise<readonly string[]> {
  const query = "WorkflowType = 'Operation' AND ExecutionStatus = 'Running'";
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const left: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) left.push(workflowId);
    if (left.length === 0 || Date.now() > until) return left.map((id) => `the operation ${id} does not end`);
    await delay(1_000);
  }
}
