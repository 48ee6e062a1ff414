import { join } from 'node:path';
import { prepareHome, removeStack, writeStack, type StackDescription } from './home.js';
import { KeptProcess } from './kept-process.js';
import { takeLock } from './lock.js';
import { assignPort, awaitServer, initialise, serverCommand, stopPostgres } from './postgres.js';
import { configuredService } from './service.js';
import { findTemporalExecutable } from './temporal-executable.js';
import { startTemporalServer } from './temporal-server.js';

export interface StackOptions {
  /** The data folder, absolute. */
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Told of what a person may want to know: a port that was taken, a build that takes minutes. */
  readonly report?: (line: string) => void;
}

/** What Reeve needs around it: a Temporal service and a PostgreSQL. */
export interface Stack extends StackDescription {
  /** Ends everything that was started, in the reverse order. */
  stop(): Promise<void>;
}

const POSTGRES_PORT = 5_433;

/**
 * Starts what the configuration does not name: Temporal, unless the standard client configuration says where it is, and
 * PostgreSQL, unless `DATABASE_URL` does. All listens on 127.0.0.1 only, and ends with this process.
 */
export async function startStack({ home, env = process.env, report = () => undefined }: StackOptions): Promise<Stack> {
  await prepareHome(home);
  const undo: (() => Promise<void>)[] = [await takeLock(home)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const databaseUrl = env['DATABASE_URL'] || (await startPostgres(home, undo, report));
    const temporal = await useTemporal(home, env, undo, report);
    const stack: StackDescription = { pid: process.pid, temporal, databaseUrl };
    await writeStack(home, stack);
    undo.push(() => removeStack(home));
    return { ...stack, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function useTemporal(
  home: string,
  env: NodeJS.ProcessEnv,
  undo: (() => Promise<void>)[],
  report: (line: string) => void,
): Promise<StackDescription['temporal']> {
  const configured = configuredService(env);
  if (configured) {
    const { connectionOptions, namespace, uiUrl } = configured;
    return { address: connectionOptions.address ?? '', namespace, ...(uiUrl !== undefined && { uiUrl }) };
  }
  const executable = await findTemporalExecutable({ env, report });
  const { address, namespace, uiUrl, process } = await startTemporalServer(home, executable, report);
  undo.push(() => process.stop());
  return { address, namespace, uiUrl };
}

async function startPostgres(
  home: string,
  undo: (() => Promise<void>)[],
  report: (line: string) => void,
): Promise<string> {
  const folder = join(home, 'postgres');
  await initialise(folder);
  // One that an earlier stack has left behind.
  await stopPostgres(folder);
  const port = await assignPort(folder, POSTGRES_PORT);
  if (port !== POSTGRES_PORT) report(`PostgreSQL listens on ${port}`);
  const command = await serverCommand(folder, port);
  // SIGINT: end open connections and stop; SIGTERM would wait for them.
  const server = await KeptProcess.start({ name: 'postgres', home, ...command, stopSignal: 'SIGINT' });
  undo.push(() => server.stop());
  const { url } = await awaitServer(folder);
  return url();
}
