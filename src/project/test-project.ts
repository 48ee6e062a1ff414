import { Client } from '@temporalio/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReeveClient } from '../client/client.js';
import { prepareDataDirectory } from '../stack/data-directory.js';
import { stopAll } from '../stack/stop-all.js';
import { findTemporalExecutable } from '../stack/temporal-executable.js';
import { startTemporalServer } from '../stack/temporal-server.js';
import { openLog } from '../telemetry/log.js';
import { connect } from '../temporal/connection.js';
import type { ImplementedResource } from '../temporal/resources.js';
import { registerSearchAttributes } from '../temporal/search-attributes.js';
import { createWorker } from '../temporal/worker.js';
import { workerSdk } from '../temporal/worker-sdk.js';
import { compareParts } from './parts.js';
import { Project } from './project.js';
import { together } from './project-error.js';

/** Holds where the project is, and what takes the place of its resources. */
export interface TestProjectOptions {
  /** A folder of the project. Default: the current one. */
  readonly folder?: string;
  /** Take the place of the project's own resources. */
  readonly resources?: readonly ImplementedResource[];
}

/** A project with a worker and a Temporal service of its own. */
export interface TestProject {
  readonly reeve: ReeveClient;
  /** The data directory, which is removed at the end. */
  readonly home: string;
  /** Ends and removes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the built project: a development service of Temporal on free ports, and a worker in this process. There is no store, so what
 * happened is kept nowhere. S3.9
 * @throws ProjectError with all that is wrong in the project
 */
export async function startTestProject({ folder, resources }: TestProjectOptions = {}): Promise<TestProject> {
  const project = await Project.find(folder);
  const [codePath, own, opening, { entities, components, distributed }] = await together([
    ...([project.builtBundle(), resources ?? project.resources()] as const),
    ...([resources ? undefined : project.openWorker(), project.declared()] as const),
    compareParts(project, resources),
  ]);
  quieten();
  const home = await mkdtemp(join(tmpdir(), 'reeve-test-'));
  const undo: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  try {
    await prepareDataDirectory(home);
    const report = (line: string) => console.error(line);
    const executable = await findTemporalExecutable({ env: process.env, report });
    const server = await startTemporalServer({ home, executable, env: process.env, report: () => undefined });
    undo.push(server.stop);
    const { address, namespace } = server;
    const connection = await connect({ address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, namespace);
    const taskQueue = project.taskQueue({});
    const client = new Client({ connection, namespace });
    const reeve = new ReeveClient({ client, entities, components, distributed, taskQueue });
    const native = await workerSdk().NativeConnection.connect({ address });
    undo.push(() => native.close());
    const log = openLog('worker', { REEVE_LOG_LEVEL: 'warn' });
    const { resources: more = [], close, ...parts } = (await opening?.({ dataDirectory: home, reeve, log })) ?? {};
    if (close) undo.push(close);
    const served = [...own, ...more];
    await compareParts(project, served);
    const worker = await createWorker({
      ...parts,
      ...{ connection: native, namespace, taskQueue, workflowBundle: { codePath } },
      resources: served,
    });
    const running = worker.run();
    undo.push(async () => {
      worker.shutdown();
      await running;
    });
    return { reeve, home, stop: () => stopAll(undo) };
  } catch (thrown) {
    await stopAll(undo);
    throw thrown;
  }
}

let quiet = false;

/** Temporal's worker tells of each of its steps otherwise. It takes a logger once in a process. */
function quieten(): void {
  const { DefaultLogger, Runtime } = workerSdk();
  if (!quiet) Runtime.install({ logger: new DefaultLogger('WARN') });
  quiet = true;
}
