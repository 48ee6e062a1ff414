import { DefaultLogger, Runtime } from '@temporalio/worker';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { ReeveClient } from '../src/client/client.js';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { startStack } from '../src/stack/stack.js';
import { stopAll } from '../src/stack/stop-all.js';
import { bundleWorkflows } from '../src/temporal/bundle.js';
import { connect } from '../src/temporal/connection.js';
import { registerSearchAttributes } from '../src/temporal/search-attributes.js';
import { temporalClient } from '../src/temporal/temporal-client.js';
import { commandOptions } from './command-options.js';
import { Canary, HOSTILE } from './hostile/definitions.js';
import { Heartbeat } from './hostile/heartbeat.js';
import { KINDS } from './hostile/kinds.js';
import { Trial, type Seen } from './hostile/trial.js';
import type { HostileSettings } from './hostile/worker.js';
import { Mortals } from './mortals.js';
import { patiently } from './replay/patience.js';

const HELP = `npm run verify-hostile -- [--only KIND,KIND] [--toil N]

Entities whose code loops, hoards memory, throws anything, changes what all share, or says what JSON cannot carry, and providers that
block or lie, each twice beside a healthy entity that is raised an event all the time. Each has to come to what the table expects. The
healthy one waits for at most 30 s the first time, and at most 2 s later, except while a provider in the worker itself does not give
way. The worker process never ends. S1.5a

  --only KIND   only these kinds: ${Object.keys(KINDS).join(', ')}
  --toil N      no kinds, but N actions that compute for about a second each, on a machine where 12 other processes compute:
                none may be taken for one that does not end

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

const FIRST_MS = 30_000;
const LATER_MS = 2_000;
const TOIL_MS = 1_000;
const LOAD = 12;

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  const { only, toil } = commandOptions(HELP, { only: { type: 'string' }, toil: { type: 'string' } }).values;
  const kinds = only?.split(',') ?? Object.keys(KINDS);
  const unknown = kinds.filter((kind) => !(kind in KINDS));
  if (unknown.length > 0 || (toil !== undefined && !/^[1-9]\d*$/.test(toil))) {
    console.error(unknown.length > 0 ? `There is no kind ${unknown.join(', ')}.\n\n${HELP}` : HELP);
    return 2;
  }
  const undo: (() => Promise<void>)[] = [];
  try {
    const { client, reeve, ends } = await start(undo);
    return toil === undefined
      ? await tryKinds(kinds, new Trial(client, reeve), reeve, ends)
      : await tryToil(Number(toil), reeve, ends);
  } finally {
    await stopAll(undo);
  }
}

/** Starts a stack with a worker process. `ends` are the lines that tell of the end of a thread or of the worker. */
async function start(undo: (() => Promise<void>)[]) {
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'hostile-'));
  undo.push(() => rm(home, { recursive: true, force: true }));
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const declarations = [path('./hostile/definitions.js'), path('./hostile/contract.js')];
  const { code } = await bundleWorkflows({ workflowsPath: path('./hostile/workflows.js'), declarations });
  const bundle = join(home, 'bundle.js');
  await writeFile(bundle, code);
  const stack = await startStack({ home, report: (line) => console.error(pc.dim(line)) });
  undo.push(() => stack.stop());
  const { address, namespace } = stack.temporal;
  const connection = await connect({ address });
  undo.push(() => connection.close());
  await registerSearchAttributes(connection, namespace);
  const client = temporalClient({ connection, namespace });
  const ends: string[] = [];
  const log: string[] = [];
  const report = (text: string) => {
    log.push(text);
    if (/thread of workflow code|has ended by itself/.test(text)) ends.push(text.slice(0, 300));
  };
  undo.push(() => writeFile(join(dataDirectoryFrom(), 'verify-hostile.log'), log.join('')));
  const mortals = new Mortals<HostileSettings>(new URL('./hostile/worker.js', import.meta.url), report);
  undo.push(() => mortals.endAll());
  await mortals.start('worker', { address, bundle });
  return { client, reeve: new ReeveClient({ client, entities: HOSTILE }), ends };
}

async function tryKinds(kinds: readonly string[], trial: Trial, reeve: ReeveClient, ends: string[]): Promise<number> {
  const heartbeat = new Heartbeat(reeve, 'canary');
  const beating = heartbeat.run();
  let wrong = 0;
  row('kind', 'expected', 'first', 'later', 'seen');
  for (const kind of kinds) {
    const expected = KINDS[kind]!;
    const gaps: number[] = [];
    const seen: Seen[] = [];
    for (const number of [1, 2]) {
      heartbeat.take();
      seen.push(await trial.attempt(kind, expected, number).catch(failure));
      gaps.push(heartbeat.take());
    }
    const died = ends.splice(0).filter((line) => line.includes('has ended by itself'));
    const [first, later] = gaps as [number, number];
    const bad = [...seen.filter(({ right }) => !right).map(({ words }) => words), ...died];
    const served = expected === 'holds' || (first <= FIRST_MS && later <= LATER_MS);
    const isRight = bad.length === 0 && served;
    if (!isRight) wrong++;
    const colour = isRight ? pc.green : pc.red;
    row(colour(kind.padEnd(18)), expected, seconds(first), seconds(later), bad[0] ?? seen[0]!.words);
  }
  heartbeat.end();
  await beating;
  console.log(wrong === 0 ? `all ${kinds.length} kinds as expected` : `${wrong} of ${kinds.length} kinds are wrong`);
  return wrong === 0 ? 0 : 1;
}

async function tryToil(number: number, reeve: ReeveClient, ends: readonly string[]): Promise<number> {
  const load = Array.from({ length: LOAD }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const startedAt = performance.now();
  try {
    await patiently('create', () => reeve.create(Canary, 'toiler', 'create'));
    // One after the other: each takes seconds here, and a second one would wait in the same thread for longer than Temporal gives a task.
    for (let left = number; left > 0; left--)
      await patiently('toil', () => reeve.raise(Canary, 'toiler', 'toil', { ms: TOIL_MS }));
  } finally {
    for (const each of load) end(each);
  }
  console.log(`${number} long actions in ${seconds(performance.now() - startedAt)} at a load of ${LOAD}`);
  for (const line of ends) console.log(pc.red(line));
  return ends.length === 0 ? 0 : 1;
}

function end(child: ChildProcess): void {
  child.kill('SIGKILL');
}

function failure(thrown: unknown): Seen {
  return { words: String(thrown), right: false };
}

function row(kind: string, expected: string, first: string, later: string, seen: string): void {
  const cut = seen.length > 160 ? `${seen.slice(0, 160)}... (${seen.length} characters)` : seen;
  console.log(`${kind.padEnd(18)} ${expected.padEnd(9)} ${first.padStart(7)} ${later.padStart(7)}  ${cut}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
