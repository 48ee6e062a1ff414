/*
 * `npm run verify-anything`: entity types drawn from all that the types allow live on one worker, beside a healthy fleet that must
 * not notice them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { trial } from './anything/trial.js';
import { drawWorlds } from './anything/worlds.js';
import { wholeOptions } from './whole-options.js';

const HELP = `npm run verify-anything -- [--types 300] [--at-once 20] [--seconds 40]

Lets a healthy fleet live alone on one worker for --seconds, and then beside --types entity types that were drawn with seeds and
accepted by check. The worker has all of them; their entities live in groups of --at-once worlds, each for --seconds. No workflow
task may fail, the worker may not end, and the healthy fleet's 99th percentile may be at most 1.5 times what it was alone. It works on
a data directory of its own, which it removes.

Exit codes: 0 all of that holds; 1 otherwise; 2 the command was not right.`;

/** How much longer the slowest of the healthy events may take than without the others. */
const MOST_SLOWER = 1.5;

const {
  types,
  'at-once': atOnce,
  seconds,
} = wholeOptions(HELP, { types: [300, 1], 'at-once': [20, 1], seconds: [40, 5] });
const home = await mkdtemp(join(tmpdir(), 'reeve-anything-'));
process.exitCode = await main().finally(() => rm(home, { recursive: true, force: true }));

async function main(): Promise<number> {
  const worlds = drawWorlds(types);
  const told = await trial(home, worlds, { atOnce, seconds }, (line) => console.error(pc.dim(`  ${line}`)));
  const { before, beside, raised, refused, failing, workerExits } = told;
  const count = worlds.reduce((sum, { types: drawn }) => sum + drawn.length, 0);
  const problems = [
    ...new Set(told.problems),
    ...[...failing].map(([id, why]) => `a workflow task of ${id} fails: ${why}`),
    ...(workerExits > 0 ? [`the worker ended ${workerExits} times`] : []),
    ...(beside.p99 > before.p99 * MOST_SLOWER
      ? [`the healthy fleet's 99th percentile was ${before.p99} ms, and is ${beside.p99} ms`]
      : []),
  ];
  for (const problem of problems) console.log(pc.red(problem));
  console.log(
    `${count} types in ${worlds.length} worlds; ${raised} events taken, ${refused} refused; healthy events: ` +
      `alone ${before.count}, p50 ${before.p50} ms, p99 ${before.p99} ms; beside them ${beside.count}, p50 ${beside.p50} ms, p99 ${beside.p99} ms; ` +
      `${failing.size} workflows with a failed task, ${workerExits} exits of the worker`,
  );
  return problems.length === 0 ? 0 : 1;
}
