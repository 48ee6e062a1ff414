import { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { Deployments } from '../src/client/deployments.js';
import { call, drawTree } from '../src/components/index.js';
import { DEFAULT_TASK_QUEUE } from '../src/protocol/names.js';
import { Random } from '../src/simulation/random.js';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { startStack } from '../src/stack/stack.js';
import { stopAll } from '../src/stack/stop-all.js';
import { createDatabase, openStore } from '../src/store/index.js';
import { bundleWorkflows } from '../src/temporal/bundle.js';
import { connect } from '../src/temporal/connection.js';
import { registerSearchAttributes } from '../src/temporal/search-attributes.js';
import { disturb } from './components/disturbance.js';
import { runLargeTrees } from './components/large-trees.js';
import { HOSTS, multiHost, RunDaemon, steps } from './components/multi-host.js';
import type { ComponentProcess } from './components/settings.js';
import { componentTraces } from './components/traces.js';
import { runTrees } from './components/trees.js';
import { World } from './components/world.js';
import { Mortals } from './mortals.js';
import { replayAll } from './replay/histories.js';
import { patiently } from './replay/patience.js';
import { OWN_KINDS } from './simulation/components/kinds.js';
import { wholeOptions } from './whole-options.js';

const HELP = `npm run verify-components -- [--rounds N] [--trees N] [--seed N]

Deploys the example with several hosts, each of which is a worker of its own, and kills the worker of the host and the one that runs
the trees, by SIGKILL, before and after each step. Whatever is killed, the rows of each component have to be the same but for their
times, and each step has to be done once, on its host. Then a tree that is 20 deep and has 1,000 leaves runs, on its own and for a
state of an entity, while one of the two workers that run it stands still now and then, and PostgreSQL is killed: no history and no
message of it may be so large that the service warns of it. Then random trees run, and every history is replayed: what was recorded
has to give the same effects. W1 to W5

  --rounds N  in how many deployments the kills are spread: in each, at every Nth step; 0: nothing is killed (default: 6)
  --trees N   how many random trees run (default: 200)
  --seed N    make other random choices (default: 1)

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

const MOMENTS = ['before', 'after'] as const;
/** How long a deployment may take, in milliseconds: two workers are started anew at each kill, which takes its time on a busy machine. */
const ENDS_WITHIN_MS = 1_800_000;
/** How many deployments run at once. */
const AT_ONCE = 3;
const TREES = 'trees';
/** A second worker that runs large trees. */
const MORE_TREES = 'more trees';

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  const options = wholeOptions(HELP, { rounds: [6, 0], trees: [200, 0], seed: [1, 1] });
  const undo: (() => Promise<unknown>)[] = [];
  try {
    return await verify(options, undo);
  } finally {
    await stopAll(undo as (() => Promise<void>)[]);
  }
}

async function verify(
  { rounds, trees, seed }: Readonly<Record<'rounds' | 'trees' | 'seed', number>>,
  undo: (() => Promise<unknown>)[],
): Promise<number> {
  const startedAt = Date.now();
  const problems: string[] = [];
  const report = (line: string) => console.error(pc.dim(line.trimEnd()));
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'components-'));
  undo.push(() => rm(home, { recursive: true, force: true }));
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const { code } = await bundleWorkflows({
    workflowsPath: path('./components/workflows.js'),
    declarations: [
      path('./components/multi-host.js'),
      path('./components/forest.js'),
      path('./simulation/components/kinds.js'),
    ],
  });
  const bundle = join(home, 'bundle.js');
  await writeFile(bundle, code);
  const stack = await startStack({ home, report });
  undo.push(() => stack.stop());
  const { databaseUrl } = stack;
  const { address, namespace } = stack.temporal;
  const connection = await connect({ address });
  undo.push(() => connection.close());
  await registerSearchAttributes(connection, namespace);
  await createDatabase(databaseUrl);
  const store = openStore({ url: databaseUrl, dimensions: [], warn: report });
  undo.push(() => store.close());
  await store.migrate();
  const client = new Client({ connection, namespace });
  const own = [RunDaemon, ...OWN_KINDS];
  const deployments = new Deployments({ client, taskQueue: DEFAULT_TASK_QUEUE, components: own });

  const mortals = new Mortals<ComponentProcess>(new URL('./components/mortal.js', import.meta.url), report);
  undo.push(() => mortals.endAll());
  // Where each deployment is killed, and where that has been done.
  const kills = new Map<string, (step: string, moment: 'before' | 'after') => boolean>();
  const killed = new Set<string>();
  let killing = Promise.resolve();
  const world = new World(({ of, host }, step, moment) => {
    const point = `${of} ${step}`;
    if (killed.has(point) || !kills.get(of!)?.(step, moment)) return undefined;
    killed.add(point);
    return (killing = killing.then(async () => {
      await Promise.all([mortals.end(host, 'SIGKILL'), mortals.end(TREES, 'SIGKILL')]);
      await Promise.all([start(host), start(TREES)]);
    }));
  });
  const url = await world.start();
  undo.push(() => world.close());
  const start = (name: string) =>
    mortals.start(name, {
      ...{ address, world: url },
      ...(name === TREES || name === MORE_TREES ? { bundle, databaseUrl } : { host: name }),
    });
  for (const name of [...HOSTS, TREES]) await start(name);
  const deploy = (of: string) => patiently('deploy', () => deployments.deploy(multiHost(of), of));
  const result = async (of: string) => {
    try {
      return await patiently(`the end of ${of}`, () => deployments.result(of), ENDS_WITHIN_MS);
    } catch (thrown) {
      const now = Date.now();
      report(drawTree(await patiently('explain', () => deployments.explain(of)), now));
      throw thrown;
    }
  };

  await deploy('quiet');
  const end = await result('quiet');
  const quiet = { steps: world.steps('quiet'), traces: await componentTraces(databaseUrl, 'quiet') };
  if (end.type !== 'normal') problems.push(`without a kill, it ends as ${JSON.stringify(end)}`);
  for (const host of HOSTS)
    if (!quiet.steps.some((step) => step.endsWith(` on ${host}`))) problems.push(`nothing is done on ${host}`);
  report(`without a kill: ${quiet.steps.length} steps, ${quiet.traces.length} components`);

  const names = quiet.steps.map((step) => step.slice(0, step.lastIndexOf(' on ')));
  const left = MOMENTS.flatMap((moment) => Array.from({ length: rounds }, (_, round) => ({ moment, round })));
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { moment, round } = next;
      const of = `killed-${moment}-${round}`;
      kills.set(of, (step, when) => when === moment && names.indexOf(step) % rounds === round);
      await deploy(of);
      const ended = await result(of);
      if (ended.type !== end.type) problems.push(`${of} ends as ${JSON.stringify(ended)}`);
      problems.push(...differences(of, quiet.steps, world.steps(of)));
      problems.push(...differences(of, quiet.traces, await componentTraces(databaseUrl, of)));
      report(`${of}: ${[...killed].filter((point) => point.startsWith(`${of} `)).length} kills`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const expected = rounds === 0 ? 0 : MOMENTS.length * names.length;
  if (killed.size !== expected) problems.push(`${killed.size} kills, and ${expected} were to be`);

  await patiently('deploy', () =>
    deployments.deploy(call(steps.do, { of: 'nobody', what: 'x' }, { host: 'h9', reachWithin: 1_000 }), 'unreached'),
  );
  const unreached = await result('unreached');
  if (!unreached.description.startsWith('host_unreachable'))
    problems.push(`a host that is not there is ${JSON.stringify(unreached)}`);

  await start(MORE_TREES);
  const disturbed = disturb({ mortals, workers: [TREES, MORE_TREES], home, random: new Random(seed) });
  // Anything that does not answer any more is told by its history.
  problems.push(...(await runLargeTrees({ client, deployments, world }, report).catch((thrown) => [String(thrown)])));
  report(await disturbed.end());
  problems.push(...(await runTrees(deployments, trees, seed)));
  await mortals.endAll();
  const { histories, problems: unreplayed } = await replayAll(client, code, join(dataDirectoryFrom(), 'replay-failed'));
  problems.push(...unreplayed);
  for (const problem of problems) console.log(pc.red(problem));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${killed.size} steps at which workers were killed, ${quiet.traces.length} components each time, ${trees} random trees, ` +
      `${histories} histories replayed, ${problems.length} problems, in ${seconds} s`,
  );
  return problems.length === 0 ? 0 : 1;
}

function differences(of: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  const missing = expected.filter((line) => !found.includes(line));
  const more = found.filter((line) => !expected.includes(line));
  if (expected.length === found.length && missing.length === 0 && more.length === 0) return [];
  return [`${of}: missing ${missing.join('; ') || 'nothing'}, and beyond ${more.join('; ') || 'nothing'}`];
}
