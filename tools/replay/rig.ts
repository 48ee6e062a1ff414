import { Client } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReeveClient } from '../../src/client/client.js';
import { homeFolder } from '../../src/stack/home.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { createDatabase } from '../../src/store/index.js';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { Rejected } from '../../src/protocol/errors.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import { connect } from '../../src/temporal/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
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
  /** The data folder, and the store's database. */
  readonly home: string;
  readonly databaseUrl: string;
  /** The present workflow code, bundled. */
  readonly code: string;
  stop(): Promise<void>;
}

/** Starts a rig in a folder of its own below the data folder. The caller starts and ends the workers. */
export async function startRig(chance: () => number, report: (line: string) => void): Promise<Rig> {
  await mkdir(homeFolder(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(homeFolder(), 'replay-'));
  const undo: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  try {
    const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
    const { code } = await bundleWorkflows({
      workflowsPath: path('./entities/workflows.js'),
      declarations: [path('./entities/definitions.js')],
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
    const client = new Client({ connection, namespace });
    const reeve = new ReeveClient({ client, entities: verified });
    await createDatabase(databaseUrl);
    const store = openVerifiedStore(databaseUrl, report);
    undo.push(() => store.close());
    await store.migrate();
    const callbackKeys = randomBytes(32).toString('base64');
    const outside = await serveOutside(chance, (token, output) => answer(reeve, callbackKeys, token, output));
    undo.push(async () => outside.close());
    const workers = new WorkerProcesses({ address, bundle, databaseUrl, callbackKeys, outside: outside.url }, report);
    undo.push(() => workers.end('SIGKILL'));
    return { client, reeve, workers, home, databaseUrl, code, stop: () => stopAll(undo) };
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
