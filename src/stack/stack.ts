import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configuredDatabase } from './database.js';
import { prepareDataDirectory, removeStack, writeStack, type StackDescription } from './data-directory.js';
import { KeptProcess } from './kept-process.js';
import { takeLock, type Release } from './lock.js';
import {
  addSettings,
  assignPort,
  awaitServer,
  initialise,
  serverCommand,
  stopPostgres,
  storedPort,
} from './postgres.js';
import { endAllRecorded } from './process-record.js';
import { configuredService, type ServiceLocation } from './service.js';
import { findTemporalExecutable } from './temporal-executable.js';
import { askTemporal } from './temporal-health.js';
import { startTemporalServer } from './temporal-server.js';
import { stopAll } from './stop-all.js';
import { messageOf } from '../definition/thrown.js';

export interface StackOptions {
  /** The data directory, absolute. */
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Is called with what a person may want to know: a port was taken, or a build takes minutes. */
  readonly report?: (line: string) => void;
  /** Where Temporal's UI decrypts payloads: the address of a service, with `/codec`. Q5 */
  readonly codecEndpoint?: string;
}

/** All that Reeve needs to run: a Temporal service and a PostgreSQL. */
export interface Stack extends StackDescription {
  /** The data directory. */
  readonly home: string;
  /** The embedded service; nothing when the configuration names a service. */
  readonly temporalProcess?: KeptProcess;
  /** Ends everything that was started, in the reverse order. */
  stop(): Promise<void>;
}

type TemporalInUse = Pick<Stack, 'temporal' | 'temporalProcess'>;
type Setting = Required<Omit<StackOptions, 'codecEndpoint'>> &
  Pick<StackOptions, 'codecEndpoint'> & { readonly undo: Release[] };

const POSTGRES_PORT = 5_433;
/** Each row of the store is in several indexes, and all of these should fit into memory. */
const STORE_SETTINGS = 'shared_buffers = 128MB\n';
/** For copies of the store (`reeve replica`). A slot that nobody reads any more must not fill the disk. A6 */
const COPY_SETTINGS = { wal_level: 'logical', max_slot_wal_keep_size: '4GB' };
/** The database in the embedded PostgreSQL. The store makes it when it is first used. */
const STORE_DATABASE = 'reeve';
const GIVEN_ANSWERS_WITHIN_MS = 10_000;

/**
 * Starts what the configuration does not name: Temporal, unless the standard client configuration names one, and PostgreSQL,
 * unless `DATABASE_URL` names one. Both listen only on 127.0.0.1, and end with this process. Processes that an earlier stack has
 * left behind on this data directory are ended first.
 * @throws when another stack works on the data directory, or something does not start; what has started is ended again
 */
export async function startStack({
  home,
  env = process.env,
  report = () => undefined,
  codecEndpoint,
}: StackOptions): Promise<Stack> {
  await prepareDataDirectory(home);
  const undo: Release[] = [await takeLock(home)];
  const stop = () => stopAll(undo);
  const setting = { home, env, report, undo, ...(codecEndpoint !== undefined && { codecEndpoint }) };
  try {
    await endAllRecorded(home);
    const databaseUrl = configuredDatabase(env) ?? (await startPostgres(setting));
    const { temporal, temporalProcess } = await useTemporal(setting);
    const stack: StackDescription = { pid: process.pid, temporal, databaseUrl };
    undo.push(() => removeStack(home));
    await writeStack(home, stack);
    return { ...stack, home, temporalProcess, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** The port on which the PostgreSQL of a data directory will listen if it is free. */
export async function wantedPostgresPort(home: string): Promise<number> {
  return (await storedPort(postgresFolder(home))) ?? POSTGRES_PORT;
}

function postgresFolder(home: string): string {
  return join(home, 'postgres');
}

async function useTemporal({ home, env, report, undo, codecEndpoint }: Setting): Promise<TemporalInUse> {
  const configured = configuredService(env);
  if (configured) return { temporal: await useGivenTemporal(configured) };
  const executable = await findTemporalExecutable({ env, report });
  const server = await startTemporalServer({
    home,
    executable,
    env,
    report,
    ...(codecEndpoint !== undefined && { codecEndpoint }),
  });
  undo.push(server.stop);
  const { address, namespace, uiUrl, process: temporalProcess } = server;
  return { temporal: { address, namespace, uiUrl, embedded: true, secured: false }, temporalProcess };
}

async function useGivenTemporal(location: ServiceLocation): Promise<StackDescription['temporal']> {
  const { connectionOptions, namespace, uiUrl } = location;
  const { address = '', tls, apiKey, metadata } = connectionOptions;
  await askTemporal(location, GIVEN_ANSWERS_WITHIN_MS).catch((thrown: unknown) => {
    const reason = messageOf(thrown);
    throw new Error(
      `The Temporal service at ${address}, namespace ${namespace}, cannot be used: ${reason}. TEMPORAL_ADDRESS or a ` +
        `profile file names it. Correct that, or remove it, so that a service is started here.`,
    );
  });
  const secured = Boolean(tls || apiKey || metadata);
  return { address, namespace, ...(uiUrl !== undefined && { uiUrl }), embedded: false, secured };
}

async function startPostgres({ home, report, undo }: Setting): Promise<string> {
  const folder = postgresFolder(home);
  await initialise(folder, STORE_SETTINGS);
  // A server that somebody has started by other means may run there.
  await stopPostgres(folder);
  await addSettings(folder, COPY_SETTINGS);
  // PostgreSQL does not start where a stale file has the id of a process that runs, even if that is another program by now.
  await rm(join(folder, 'data', 'postmaster.pid'), { force: true });
  const port = await assignPort(folder, POSTGRES_PORT);
  if (port !== POSTGRES_PORT) report(`PostgreSQL listens on ${port}`);
  const command = await serverCommand(folder, port);
  // SIGINT ends open connections and stops the server. SIGTERM would wait for them.
  const server = await KeptProcess.start({ name: 'postgres', home, ...command, stopSignal: 'SIGINT' });
  undo.push(() => server.stop());
  const { url } = await awaitServer(folder);
  return url(STORE_DATABASE);
}
