import { DefaultLogger, Runtime } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { KEEPER_TYPE, OPERATION_TYPE } from '../src/protocol/names.js';
import { readHistories, replayHistories } from '../src/temporal/histories.js';
import { Project } from '../src/project/project.js';
import { controlPlane } from '../workflows/definitions.js';
import { recordHistories } from './replay/record.js';
import { startRig } from './replay/rig.js';
import { doShippedSteps } from './replay/shipped-steps.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const HISTORIES = fileURLToPath(new URL('../../test/histories', import.meta.url));
const HELP = `npm run replay -- [HISTORIES...] [--record]

Replays recorded histories on the control plane's workflow code as it is now: files, or folders of files. Without any, it replays
those of the shipped entities in test/histories. S4.1a, Q2

  --record  make these anew: lets the shipped entities do each kind of step on a real service, and keeps a history of each kind

Exit codes: 0 all of them replay; 1 one does not; 2 the command was not valid.`;

process.exit(await main());

async function main(): Promise<number> {
  let paths: readonly string[];
  let record: boolean;
  try {
    const { values, positionals } = parseArgs({
      options: { record: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    [paths, record] = [positionals, values.record];
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const codePath = await (await Project.find(HERE)).builtBundle();
  if (record) await recordShipped(codePath);
  let replayed = 0;
  let failed = 0;
  for await (const { workflowId, error } of replayHistories(
    { codePath },
    readHistories(paths.length > 0 ? paths : [HISTORIES]),
  )) {
    replayed++;
    if (!error) continue;
    failed++;
    console.log(`${pc.red(`${workflowId} does not replay:`)} ${error.message}`);
  }
  console.log(
    `${replayed} histories: ${failed === 0 ? pc.green('all of them replay') : pc.red(`${failed} do not replay`)}`,
  );
  return failed === 0 ? 0 : 1;
}

async function recordShipped(codePath: string): Promise<void> {
  // Nothing fails by chance, and what takes long takes as long each time.
  const rig = await startRig(
    () => 0.5,
    (line) => console.error(pc.dim(line.trimEnd())),
  );
  try {
    const workers = rig.workersOf(codePath);
    await workers.start();
    await doShippedSteps(rig);
    await workers.end('SIGTERM');
    const types = [...controlPlane.map(({ name }) => name), OPERATION_TYPE, KEEPER_TYPE];
    const count = await recordHistories(rig.client, types, HISTORIES);
    console.log(`${count} kinds of histories recorded in test/histories`);
  } finally {
    await rig.stop();
  }
}
