import type { Command } from 'commander';
import { Project } from '../../project/project.js';
import { dataDirectoryFrom, readStack, type StackDescription } from '../../stack/data-directory.js';
import { colours, errorColours } from '../colours.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { ownFailure } from '../failure.js';
import { messageOf } from '../../definition/thrown.js';
import { run } from '../run.js';
import { Unreachable } from '../unreachable.js';

const A_LONG_TIME_MS = 1_000_000_000;

/** `reeve up` */
export function defineUp(program: Command): void {
  program
    .command('up')
    .description('run the project: Temporal, PostgreSQL, a worker and the management service, until you stop it')
    .addHelpText(
      'after',
      examples(
        ['reeve up', 'all data is in .reeve'],
        ['REEVE_DATA_DIR=/tmp/trial reeve up', 'on another data directory'],
        ['TEMPORAL_ADDRESS=temporal:7233 reeve up', 'with an existing Temporal service'],
      ),
    )
    .action(run(up));
}

async function up(): Promise<number> {
  refuseRemote('up', 'it starts processes on this machine');
  const project = await Project.find();
  // It is loaded here, so that other commands start faster without it.
  const { startProject } = await import('../../project/up.js');
  // A stop that is asked for while things start leads to a graceful end too.
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
  const home = dataDirectoryFrom();
  const startedAt = Date.now();
  console.error(errorColours.bold('Reeve'), errorColours.dim(`on ${home}`));
  const report = (line: string) => console.error(errorColours.dim(`  ${line}`));
  const running = await startProject({ project, home, report }).catch((thrown: unknown) => {
    if (ownFailure(thrown)) throw thrown;
    throw new Unreachable(messageOf(thrown));
  });
  try {
    report(`up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    console.log(await describe(home, running.serviceUrl));
    console.error(errorColours.dim('Ctrl-C stops everything.'));
    // Without this, the process would end by itself where all parts of the project run elsewhere.
    const staying = setInterval(() => undefined, A_LONG_TIME_MS);
    const signal = await asked;
    console.error(errorColours.dim(`stopping, by ${signal}`));
    clearInterval(staying);
  } finally {
    await running.stop();
    console.error(errorColours.dim('stopped'));
  }
  return EXIT.done;
}

/** The addresses of the parts, for people. */
async function describe(home: string, serviceUrl: string): Promise<string> {
  const stack = await readStack(home);
  const rows = [
    ...(stack ? await stackRows(stack) : []),
    ['page', `${serviceUrl}/`],
    ['API', `${serviceUrl}/docs`],
    ['look around', 'npx reeve doctor; npx reeve entities; npx reeve operations list'],
  ];
  return rows.map(([name = '', value = '']) => `  ${colours.dim(name.padEnd(14))}  ${value}`).join('\n');
}

async function stackRows({ temporal, databaseUrl }: StackDescription): Promise<readonly (readonly string[])[]> {
  const { readerLogin } = await import('../../store/index.js');
  return [
    ['Temporal', `${temporal.address}, namespace ${temporal.namespace}`],
    ...(temporal.uiUrl === undefined ? [] : [["Temporal's UI", temporal.uiUrl]]),
    ['store, to read', `psql ${readerLogin(databaseUrl).url}`],
  ];
}
