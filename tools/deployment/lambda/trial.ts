import { Client } from '@temporalio/client';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ReeveClient } from '../../../src/client/client.js';
import { Random } from '../../../src/simulation/index.js';
import { KeptProcess } from '../../../src/stack/kept-process.js';
import { startStack } from '../../../src/stack/stack.js';
import { stopAll } from '../../../src/stack/stop-all.js';
import { createDatabase } from '../../../src/store/index.js';
import { connect } from '../../../src/temporal/connection.js';
import { registerSearchAttributes } from '../../../src/temporal/search-attributes.js';
import { prepareStore } from '../../../src/project/prepare-store.js';
import { controlPlaneProject } from '../../../workers/project.js';
import { controlPlane } from '../../../workflows/definitions.js';
import { LogicalServer } from '../../../workflows/logical-server/definition.js';
import { takeInventory, useServer } from '../../recovery/inventory.js';
import { patiently } from '../../replay/patience.js';
import { Invocations } from './invocations.js';
import { invocationProblems, startPlatform } from './platform.js';
import { deployFunction } from './worker-deployment.js';

export interface TrialOptions {
  readonly home: string;
  readonly servers: number;
  readonly seed: number;
  readonly report: (line: string) => void;
}

/** The time-out of the function, in milliseconds. */
const FUNCTION_TIMEOUT_MS = 40_000;
/** How many invocations run at once: the reserved concurrency of the function. */
const AT_ONCE = 2;
/** How long an event may wait, as in the template: the Worker Controller asks again while tasks wait. */
const EVENT_AGE_MS = 60_000;
const DEPLOYMENT = 'reeve';
const BUILD_ID = 'verified';
/** The pause between the beginnings of two provisionings, so that work arises while invocations come and go, in milliseconds. */
const PACE_MS = 20_000;
const ENDS_WITHIN_MS = 600_000;

/** Provisions and deletes servers with workers that run in AWS Lambda alone. Gives what is wrong. Q3, S4.3 */
export async function tryLambda({ home, servers, seed, report }: TrialOptions): Promise<readonly string[]> {
  const undo: (() => Promise<void>)[] = [];
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const random = new Random(seed);
    const { api, temporal, run } = await startPlatform(home, undo);
    const env = { ...process.env, REEVE_DATA_DIR: home, TEMPORAL_ADDRESS: temporal.address };
    const stack = await startStack({ home, env, report });
    undo.push(() => stack.stop());
    const connection = await connect({ address: temporal.address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, 'default');
    const project = await controlPlaneProject();
    await createDatabase(stack.databaseUrl);
    await prepareStore(project, stack.databaseUrl);
    const script = fileURLToPath(new URL('../../../activities/host/main.js', import.meta.url));
    const host = await KeptProcess.start({
      ...{ name: 'resource-host', home, command: process.execPath, args: [script], env: { REEVE_DATA_DIR: home } },
    });
    undo.push(() => host.stop());
    const invocations = new Invocations({
      handler: fileURLToPath(new URL('../../../workers/lambda.js', import.meta.url)),
      timeoutMs: FUNCTION_TIMEOUT_MS,
      atOnce: AT_ONCE,
      eventAgeMs: EVENT_AGE_MS,
      env: {
        ...env,
        DATABASE_URL: stack.databaseUrl,
        TEMPORAL_DEPLOYMENT_NAME: DEPLOYMENT,
        TEMPORAL_WORKER_BUILD_ID: BUILD_ID,
      },
      logFile: join(home, 'log', 'lambda.log'),
      // Between its start and the time when it would end by itself.
      cutOff: (number) => (number % 3 === 2 ? 1_500 + random.below(15_000) : undefined),
    });
    run(invocations);
    undo.push(() => invocations.stop());

    const reeve = new ReeveClient({
      client: new Client({ connection, namespace: 'default' }),
      entities: controlPlane,
      taskQueue: project.taskQueue(),
    });
    await deployFunction(temporal, DEPLOYMENT, BUILD_ID);
    const problems: string[] = [];
    const names = Array.from({ length: servers }, (_, index) => `lambda-${index}`);
    const provision = async (name: string, index: number) => {
      await delay(index * PACE_MS);
      const taken = await patiently(name, () => reeve.create(LogicalServer, name, 'create', {}), ENDS_WITHIN_MS);
      if (index === 0) {
        const coldMs = Date.now() - invocations.firstAt!;
        report(`cold start: ${(coldMs / 1_000).toFixed(1)} s from the first Invoke to the first completed task`);
      }
      const { outcome, errors } = await patiently(name, () => reeve.operations.result(taken), ENDS_WITHIN_MS);
      if (outcome !== 'success')
        problems.push(`the creation of ${name} ended as ${outcome}: ${JSON.stringify(errors)}`);
      const found = { ...(await takeInventory(home, name)), ...(await patiently(name, () => useServer(home, name))) };
      const notOne = Object.values(found).some((count) => count !== 1);
      if (notOne) problems.push(`there is not one of each of ${name}: ${JSON.stringify(found)}`);
      const deleting = await patiently(name, () => reeve.raise(LogicalServer, name, 'delete'), ENDS_WITHIN_MS);
      const deleted = await patiently(name, () => reeve.operations.result(deleting), ENDS_WITHIN_MS);
      if (deleted.outcome !== 'success')
        problems.push(`the deletion of ${name} ended as ${deleted.outcome}: ${JSON.stringify(deleted.errors)}`);
      const left = await takeInventory(home, name);
      if (Object.values(left).some((count) => count !== 0))
        problems.push(`something of ${name} is left: ${JSON.stringify(left)}`);
      report(`${name}: Ready and deleted again; ${JSON.stringify(invocations.counts)}`);
    };
    for (const end of await Promise.allSettled(names.map(provision))) {
      if (end.status === 'rejected') problems.push(String(end.reason));
    }
    problems.push(...invocationProblems(invocations, api));
    report(`invocations: ${JSON.stringify(invocations.counts)}`);
    return problems;
  } finally {
    await stopAll(undo);
  }
}
