import { Client } from '@temporalio/client';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ReeveClient } from '../client/client.js';
import { BuildRouting } from '../rollout/index.js';
import { KeptProcess } from '../stack/kept-process.js';
import { startStack } from '../stack/stack.js';
import { stopAll } from '../stack/stop-all.js';
import { createDatabase } from '../store/index.js';
import { connect } from '../temporal/connection.js';
import { registerSearchAttributes } from '../temporal/search-attributes.js';
import { builtFile } from './built-file.js';
import { compareParts } from './parts.js';
import { prepareStore } from './prepare-store.js';
import { Project } from './project.js';
import { together } from './project-error.js';
import type { TestProject } from './test-project.js';

/** Holds where the project and the template of the function are. */
export interface TestFunctionOptions {
  /** A folder of the project. Default: the current one. */
  readonly folder?: string;
  /** The template that deploys the function, from the folder: it names the handler and the time-out. */
  readonly template: string;
}

const BUILD = 'tested';
const SERVES_WITHIN_MS = 60_000;
const AGAIN_MS = 250;

/**
 * Starts the built project as a function of AWS Lambda: a Temporal service and a PostgreSQL, and invocations of the function, one after the
 * other, each in a process of its own. No other worker runs. Q3
 * @throws ProjectError with all that is wrong in the project, and Error with what an invocation has printed that has failed
 */
export async function startTestFunction({
  folder = process.cwd(),
  template,
}: TestFunctionOptions): Promise<TestProject> {
  const project = await Project.find(folder);
  const [{ entities, components, distributed }, { module, timeoutMs }] = await together([
    project.declared(),
    functionIn(resolve(project.folder, template)),
    compareParts(project),
  ]);
  const home = await mkdtemp(join(tmpdir(), 'reeve-test-'));
  const undo: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  try {
    const outside = Object.entries(process.env).filter(
      ([name]) => !/^(TEMPORAL_(?!EXEC)|REEVE_|DATABASE_URL$)/.test(name),
    );
    const env = { ...Object.fromEntries(outside), REEVE_DATA_DIR: home };
    const { databaseUrl, temporal, stop } = await startStack({ home, env });
    undo.push(stop);
    await createDatabase(databaseUrl);
    await prepareStore(project, databaseUrl);
    const { address, namespace } = temporal;
    const connection = await connect({ address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, namespace);
    const taskQueue = project.taskQueue({});
    const client = new Client({ connection, namespace });
    let failed = false;
    const invocations = await KeptProcess.start({
      ...{ name: 'lambda', home, command: process.execPath },
      args: [
        builtFile('src/project/invocation.js'),
        resolve(project.folder, module),
        'test',
        'test',
        String(timeoutMs),
      ],
      env: {
        ...env,
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        DATABASE_URL: databaseUrl,
        REEVE_BUILD: BUILD,
      },
      onExit: (code) => (failed ||= code !== 0),
    });
    undo.push(() => invocations.stop());
    const routing = new BuildRouting(client, taskQueue);
    await untilServed(routing, async () => {
      if (failed) throw new Error(`The function has failed:\n${await readFile(invocations.logFile, 'utf8')}`);
    });
    const reeve = new ReeveClient({ client, entities, components, distributed, taskQueue });
    return { reeve, home, stop: () => stopAll(undo) };
  } catch (thrown) {
    await stopAll(undo);
    throw thrown;
  }
}

/** Lets new runs begin on the function's build, as soon as an invocation asks for work. */
async function untilServed(routing: BuildRouting, check: () => Promise<void>): Promise<void> {
  const until = Date.now() + SERVES_WITHIN_MS;
  for (;;) {
    await check();
    try {
      return await routing.makeCurrent(BUILD);
    } catch (thrown) {
      if (Date.now() > until) throw thrown;
    }
    await delay(AGAIN_MS);
  }
}

/** The module of the handler and the time-out, as a template of CloudFormation says them. */
async function functionIn(path: string): Promise<{ readonly module: string; readonly timeoutMs: number }> {
  const text = await readFile(path, 'utf8');
  const [, module] = /^ +Handler: (\S+)\.handler$/m.exec(text) ?? [];
  const [, seconds] = /^ +Timeout: (\d+)$/m.exec(text) ?? [];
  if (module === undefined || seconds === undefined)
    throw new Error(`${path} has no 'Handler: <module>.handler', or no 'Timeout: <seconds>'.`);
  return { module: `${module}.js`, timeoutMs: Number(seconds) * 1_000 };
}
