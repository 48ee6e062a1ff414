import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { asDatabaseUser, databaseUserIds, needsDatabaseUser, type Command } from './database-user.js';
import { writeFileAtomically } from './files.js';
import { choosePort } from './ports.js';
import { postgresBinaries } from './postgres-binaries.js';
import { commandOf } from './processes.js';

/*
 * A PostgreSQL server of its own, in a folder:
 *   data/      the cluster
 *   password   the password of the superuser
 *   port       the port on 127.0.0.1, the same across restarts unless another program has taken it
 *   complete   is written last: without it, the folder holds what an interrupted initdb has left
 *   log        the log of the server
 */

const run = promisify(execFile);
const SUPERUSER = 'postgres';

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 50
shared_buffers = 16MB
`;

/** A server that runs. */
export interface RunningPostgres {
  readonly port: number;
  readonly pid: number;
  readonly user: string;
  readonly password: string;
  url(database?: string): string;
}

const busy = new Map<string, Promise<unknown>>();

/**
 * Makes sure that a server runs in a folder. It prepares the folder and starts the server where needed. It can be repeated, even
 * after it was killed at any point.
 */
export function ensurePostgres(
  folder: string,
  options: { readonly port?: number; readonly settings?: string } = {},
): Promise<RunningPostgres> {
  return inTurn(folder, async () => {
    await initialise(folder, options.settings);
    const pid = await runningPid(folder);
    return describe(folder, pid ?? (await start(folder, options.port)));
  });
}

/** Stops the server. Open connections are ended, and what was committed is kept. It does nothing when no server runs. */
export function stopPostgres(folder: string): Promise<void> {
  return inTurn(folder, () => stop(folder));
}

/** Stops the server and removes its folder with everything in it. */
export function removePostgres(folder: string): Promise<void> {
  return inTurn(folder, async () => {
    await stop(folder);
    await rm(folder, { recursive: true, force: true });
  });
}

/** The address of the database `postgres` of the server in a folder, whether it runs or not; nothing when it never has. */
export async function storedUrl(folder: string): Promise<string | undefined> {
  return (await storedPort(folder)) === undefined ? undefined : (await describe(folder, 0)).url();
}

/** The process id of the server in a folder, if one runs. A stale pid file does not count. */
export async function runningPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return (await commandOf(pid)).includes(join(folder, 'data')) ? pid : undefined;
}

/** Prepares a folder for a server: runs initdb, writes the settings, and leaves a mark when everything is done. */
export async function initialise(folder: string, settings = ''): Promise<void> {
  const complete = join(folder, 'complete');
  if (await exists(complete)) return;
  const data = join(folder, 'data');
  await stop(folder);
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (needsDatabaseUser()) {
    const { uid, gid } = await databaseUserIds();
    await chown(data, uid, gid);
  }
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const { initdb } = await postgresBinaries();
  const cluster = ['-D', data, '-U', SUPERUSER, '-E', 'UTF8', '--no-locale', '--no-instructions'];
  await runOrExplain({ command: initdb, args: [...cluster, '-A', 'scram-sha-256', '--pwfile', passwordFile] });
  await writeFile(join(data, 'postgresql.auto.conf'), SETTINGS + settings);
  if (needsDatabaseUser()) {
    const { uid, gid } = await databaseUserIds();
    await chown(join(data, 'postgresql.auto.conf'), uid, gid);
  }
  await writeFileAtomically(complete, '');
}

/** Gives a server settings that it does not have yet, from its next start on. Those that somebody has set stay. */
export async function addSettings(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const file = join(folder, 'data', 'postgresql.auto.conf');
  const text = await readFile(file, 'utf8');
  const names = text.split('\n').map((line) => line.split('=')[0]?.trim());
  const lines = Object.entries(settings)
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => `${name} = '${value}'\n`);
  if (lines.length > 0) await appendFile(file, lines.join(''));
}

/** The port that the server in a folder had when it last ran. */
export async function storedPort(folder: string): Promise<number | undefined> {
  return Number(await readFile(join(folder, 'port'), 'utf8').catch(() => '')) || undefined;
}

/** Chooses the port of the server and stores it: the one that it had, or else the wanted one, or else any that is free. */
export async function assignPort(folder: string, wanted?: number): Promise<number> {
  const stored = await storedPort(folder);
  const port = await choosePort(stored ?? wanted);
  if (port !== stored) await writeFileAtomically(join(folder, 'port'), String(port));
  return port;
}

/** The command that runs the server in the foreground, for a caller that keeps it running. */
export async function serverCommand(folder: string, port: number): Promise<Command> {
  const { postgres } = await postgresBinaries();
  return asDatabaseUser({ command: postgres, args: ['-D', join(folder, 'data'), '-p', String(port)] });
}

/** Waits until the server takes connections. @throws when it does not within 30 s */
export async function awaitServer(folder: string): Promise<RunningPostgres> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const pid = await runningPid(folder);
    if (pid !== undefined && (await answers(folder))) return describe(folder, pid);
    if (Date.now() > deadline) {
      throw new Error(`PostgreSQL in ${folder} does not answer. Its log is ${join(folder, 'log')}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function start(folder: string, wanted: number | undefined): Promise<number> {
  const data = join(folder, 'data');
  await rm(join(data, 'postmaster.pid'), { force: true });
  const { pg_ctl } = await postgresBinaries();
  const port = await assignPort(folder, wanted);
  const log = join(folder, 'log');
  await runOrExplain({ command: pg_ctl, args: ['start', '-w', '-s', '-D', data, '-l', log, '-o', `-p ${port}`] }, log);
  const pid = await runningPid(folder);
  if (pid === undefined) throw new Error(`PostgreSQL in ${folder} ended after its start. Its log is ${log}.`);
  return pid;
}

async function stop(folder: string): Promise<void> {
  if ((await runningPid(folder)) === undefined) return;
  const { pg_ctl } = await postgresBinaries();
  const how = (mode: string) => ['stop', '-w', '-s', '-m', mode, '-D', join(folder, 'data')];
  await runOrExplain({ command: pg_ctl, args: how('fast') }).catch(async (thrown: unknown) => {
    // It may have ended meanwhile. One that hangs recovers at its next start.
    if ((await runningPid(folder)) === undefined) return;
    await runOrExplain({ command: pg_ctl, args: how('immediate') }).catch(() => {
      throw thrown;
    });
  });
}

async function describe(folder: string, pid: number): Promise<RunningPostgres> {
  const password = await readFile(join(folder, 'password'), 'utf8');
  const port = Number(await readFile(join(folder, 'port'), 'utf8'));
  return {
    port,
    pid,
    user: SUPERUSER,
    password,
    url: (database = 'postgres') => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`,
  };
}

async function answers(folder: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: (await describe(folder, 0)).url(), connectionTimeoutMillis: 2_000 });
  // A server that is starting refuses connections. The caller waits for that to end.
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

async function runOrExplain(plain: Command, log?: string): Promise<void> {
  const { command, args } = asDatabaseUser(plain);
  try {
    // The call ends with the program and not with its output: the server that pg_ctl starts keeps the pipes open.
    await run(command, [...args], { env: { ...process.env, LC_ALL: 'C' }, cwd: '/' });
  } catch (thrown) {
    const { stderr = '', message } = thrown as { stderr?: string; message: string };
    const said = log === undefined ? stderr : `${stderr}${await readFile(log, 'utf8').catch(() => '')}`;
    throw new Error(`${plain.command} failed: ${said.trim().slice(-2_000) || message}`);
  }
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}

/** Runs work on a folder when all earlier work on it has ended. */
async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = busy.get(folder) ?? Promise.resolve();
  const done = before.then(work, work);
  busy.set(folder, done);
  return done.finally(() => {
    if (busy.get(folder) === done) busy.delete(folder);
  });
}
