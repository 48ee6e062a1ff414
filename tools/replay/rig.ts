import { Client } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReeveClient } from '../../src/client/client.js';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { createDatabase } from '../../src/store/index.js';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { Rejected } from '../../src/protocol/errors.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import { connect } from '../../src/temporal/connection.js';
import type { AnyEntity } from '../../src/definition/entity.js';
import { schemasOf } from '../../src/temporal/build-schemas.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import type { WorkerVersion } from '../../src/temporal/worker-version.js';
import { verified } from './entities/definitions.js';
import { serveOutside } from './outside.js';
import { openVerifiedStore } from './verified-store.js';
import { patiently } from './patience.js';
import { WorkerProcesses } from './worker-processes.js';

/** The rig for the verification: a Temporal service, and workers that can be ended. */
export interface Rig {
  readonly client: Client;
  readonly reeve: ReeveClient;
  readonly workers: WorkerProcesses;
  /** The data directory, and the store's database. */
  readonly home: string;
  readonly address: string;
  readonly databaseUrl: string;
  /** The present workflow code, bundled. */
  readonly code: string;
  /** Bundles other workflow code as a build of its own, whose workers say so. @param workflows absolute path of the module */
  build(name: string, workflows: string, entities?: readonly AnyEntity[]): Promise<RigBuild>;
  /** Workers of another bundle. */
  workersOf(bundle: string): WorkerProcesses;
  stop(): Promise<void>;
}

/** A build of the workflow code, and its workers. */
export interface RigBuild {
  readonly name: string;
  readonly code: string;
  readonly workers: WorkerProcesses;
}

/** The name that all builds of a rig share. */
export const DEPLOYMENT = 'verified';

/** Starts a rig in a folder of its own below the data directory. The caller starts and ends the workers. */
export async function startRig(chance: () => number, report: (line: string) => void): Promise<Rig> {
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'replay-'));
  const undo: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  try {
    const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
    const bundled = async (name: string, workflowsPath: string) => {
      const { code } = await bundleWorkflows({ workflowsPath, declarations: [path('./entities/definitions.js')] });
      const bundle = join(home, `${name}.js`);
      await writeFile(bundle, code);
      return { code, bundle };
    };
    const { code, bundle } = await bundled('bundle', path('./entities/workflows.js'));
    const stack = await startStack({ home, report });
    undo.push(() => stack.stop());
    const { databaseUrl } = stack;
    const { address, namespace } = stack.temporal;
    const connection = await connect({ address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, namespace);
    const client = new Client({ connection, namespace });
    const reeve = new ReeveClient({ client, entities: verified });
    await createDatabase(databaseUrl);
    const store = openVerifiedStore(databaseUrl, report);
    undo.push(() => store.close());
    await store.migrate();
    const callbackKeys = randomBytes(32).toString('base64');
    const outside = await serveOutside(chance, (token, output) => answer(reeve, callbackKeys, token, output));
    undo.push(async () => outside.close());
    const processes = (bundlePath: string, version?: WorkerVersion) => {
      const settings = { address, bundle: bundlePath, databaseUrl, callbackKeys, outside: outside.url };
      const made = new WorkerProcesses({ ...settings, ...(version && { version }) }, report);
      undo.push(() => made.end('SIGKILL'));
      return made;
    };
    const build = async (
      name: string,
      workflowsPath: string,
      entities: readonly AnyEntity[] = verified,
    ): Promise<RigBuild> => {
      const made = await bundled(name, workflowsPath);
      const version = { deployment: DEPLOYMENT, build: name, schemas: schemasOf(entities) };
      return { name, code: made.code, workers: processes(made.bundle, version) };
    };
    const workers = processes(bundle);
    return {
      client,
      reeve,
      workers,
      home,
      address,
      databaseUrl,
      code,
      build,
      workersOf: (other) => processes(other),
      stop: () => stopAll(undo),
    };
  } catch (thrown) {
    await stopAll(undo);
    throw thrown;
  }
}

/** Answers a call as the service does. Whoever comes late, or again with something else, is refused. */
async function answer(reeve: ReeveClient, keys: string, token: string, output: unknown): Promise<void> {
  const question = new CallbackKeys(keys).questionOf(token)!;
  try {
    await patiently(`answer to ${question.call ?? ''}`, () => reeve.answer(question, { output } as CallbackAnswer));
  } catch (thrown) {
    if (!(thrown instanceof Rejected)) throw thrown;
  }
}
