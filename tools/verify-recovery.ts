import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { connect } from '../src/temporal/connection.js';
import { temporalClient } from '../src/temporal/temporal-client.js';
import { ReeveClient } from '../src/client/client.js';
import { recordedPid } from '../src/stack/process-record.js';
import { controlPlane } from '../workflows/definitions.js';
import { LogicalServer } from '../workflows/logical-server/definition.js';
import { startProject } from '../src/project/index.js';
import { controlPlaneProject } from '../workers/project.js';
import { HOST_NAME } from '../workers/up.js';
import { takeInventory, useServer } from './recovery/inventory.js';
import { commandOptions } from './command-options.js';
import { killFile, PROVISIONING_CALLS } from './recovery/kill-point.js';

const HELP = `npm run verify-recovery -- [WORDS]

Provisions servers and kills processes meanwhile with SIGKILL: the worker at every step of a provisioning, and the Temporal service and
the resource host in the middle. Each server has to become Ready, and no resource may exist twice. It works on a data directory of its
own, which it removes.

  WORDS   try only the scenarios whose titles have these words, such as 'worker killed after'`;

interface Scenario {
  readonly title: string;
  /** Prepares the kill, before the server is created. */
  prepare?(): Promise<void>;
  /** Kills while the server is being created. */
  disturb?(name: string): Promise<void>;
}

const words = commandOptions(HELP, {}, true).positionals.join(' ');
const home = await mkdtemp(join(tmpdir(), 'reeve-recovery-'));

const SCENARIOS: readonly Scenario[] = [
  { title: 'nothing is killed' },
  {
    title: 'worker killed as the server is created',
    prepare: async () => kill(await recordedPid({ home, name: 'worker' })),
  },
  ...PROVISIONING_CALLS.flatMap((activity) =>
    (['before', 'after'] as const).map((moment) => ({
      title: `worker killed ${moment} ${activity}`,
      prepare: async () => writeFileSync(killFile(home), `${moment} ${activity}`),
    })),
  ),
  {
    title: 'Temporal service killed in the middle',
    disturb: async (name) => {
      await untilInstanceBegins(name);
      kill(await recordedPid({ home, name: 'temporal' }));
    },
  },
  {
    title: 'resource host killed in the middle',
    disturb: async (name) => {
      await untilInstanceBegins(name);
      kill(await recordedPid({ home, name: HOST_NAME }));
    },
  },
];

process.exitCode = await main().finally(() => rm(home, { recursive: true, force: true }));

async function main(): Promise<number> {
  const scenarios = SCENARIOS.filter(({ title }) => title.includes(words));
  if (scenarios.length === 0) {
    console.error(
      `There is no scenario '${words}'. There are:\n${SCENARIOS.map(({ title }) => `  ${title}`).join('\n')}`,
    );
    return 2;
  }
  const project = await controlPlaneProject();
  const plane = await startProject({
    ...{ project, home },
    report: (line) => console.log(pc.dim(`  ${line}`)),
    workerScript: fileURLToPath(new URL('./recovery/mortal-worker.js', import.meta.url)),
  });
  const connection = await connect(plane.location.connectionOptions);
  let failed = 0;
  try {
    const client = temporalClient({ ...plane.location, connection });
    const reeve = new ReeveClient({ client, entities: controlPlane, taskQueue: project.taskQueue() });
    for (const [index, scenario] of scenarios.entries()) {
      const startedAt = Date.now();
      const problem = await verify(reeve, scenario, `server-${index}`).catch((thrown: unknown) => String(thrown));
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      if (problem) failed++;
      const said = problem ? pc.red(problem) : pc.dim('Ready; one instance, database, role, alias and name; deleted');
      console.log(
        `${problem ? pc.red('FAIL') : pc.green('ok  ')} ${scenario.title.padEnd(48)} ${seconds.padStart(5)} s  ${said}`,
      );
      rmSync(killFile(home), { force: true });
    }
  } finally {
    await connection.close();
    await plane.stop();
  }
  console.log(
    failed === 0 ? `all ${scenarios.length} provisionings recovered` : `${failed} of ${scenarios.length} failed`,
  );
  return failed === 0 ? 0 : 1;
}

/** Provisions a server and deletes it. Gives what is wrong after the kill, or nothing. */
async function verify(reeve: ReeveClient, scenario: Scenario, name: string): Promise<string | undefined> {
  await scenario.prepare?.();
  const taken = await reeve.create(LogicalServer, name, 'create', {});
  await scenario.disturb?.(name);
  const result = await patiently(() => reeve.operations.result(taken));
  if (result.outcome !== 'success') return `the operation ended as ${result.outcome}: ${JSON.stringify(result.errors)}`;
  const { state } = (await patiently(() => reeve.read({ type: 'LogicalServer', key: name }))).snapshot;
  if (state !== 'Ready') return `the server is ${state}`;
  const found = { ...(await takeInventory(home, name)), ...(await patiently(() => useServer(home, name))) };
  const notOne = Object.entries(found).filter(([, count]) => count !== 1);
  if (notOne.length > 0) return `there is not one of each: ${JSON.stringify(found)}`;

  const deletion = await reeve.operations.result(await reeve.raise(LogicalServer, name, 'delete'));
  if (deletion.outcome !== 'success')
    return `the deletion ended as ${deletion.outcome}: ${JSON.stringify(deletion.errors)}`;
  const left = await takeInventory(home, name);
  return Object.values(left).some((count) => count !== 0) ? `something is left: ${JSON.stringify(left)}` : undefined;
}

/** Tries again while the service or the host that was killed is coming back. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      if (Date.now() > until) throw thrown;
      await delay(500);
    }
  }
}

async function untilInstanceBegins(name: string): Promise<void> {
  while ((await takeInventory(home, name)).instances === 0) await delay(10);
}

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('There is no process to kill.');
  process.kill(pid, 'SIGKILL');
}
