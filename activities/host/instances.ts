import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  ensurePostgres,
  removePostgres,
  runningPid,
  stopPostgres,
  storedUrl,
  type RunningPostgres,
} from '../../src/stack/postgres.js';
import { writeFileAtomically } from '../../src/stack/files.js';
import { copyRunning, copyStopped } from './data-copy.js';
import { HostError } from './host-error.js';
import { InstanceFolders, type InstanceFolder } from './instance-folders.js';
import { Turns } from './turns.js';
import { sessionName } from './working-for.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Holds what a superuser logs in with, in the database `postgres`. */
export interface Login {
  readonly url: string;
}

const HOST = '127.0.0.1';
const LOOK_EVERY_MS = 2_000;

/**
 * The settings for logical replication to standbys. A standby that is away for long is copied anew, so the log need not wait for
 * it.
 */
const SETTINGS = `
wal_level = logical
max_slot_wal_keep_size = 1GB
max_worker_processes = 24
max_logical_replication_workers = 16
max_replication_slots = 24
log_line_prefix = '%m [%p] %q%u@%d %a '
`;

/** PostgreSQL instances, with a folder for each. They run, unless they are fenced. */
export class Instances {
  readonly #folders: InstanceFolders;
  readonly #log: (line: string) => void;
  readonly #turns = new Turns();
  #watch: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  private constructor(folders: InstanceFolders, log: (line: string) => void) {
    this.#folders = folders;
    this.#log = log;
  }

  static async open(folder: string, log: (line: string) => void): Promise<Instances> {
    const folders = await InstanceFolders.open(folder);
    await folders.removeUnfinished();
    return new Instances(folders, log);
  }

  /** Starts all instances, and keeps them running until `stop`. */
  async start(): Promise<void> {
    await this.#startStopped();
    this.#watch = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#startStopped());
    }, LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    await this.#looking;
    await this.#folders.stopAll();
  }

  /** Makes an empty instance, or a copy of another one as it is now. Where it exists already, it is only started. */
  put(name: string, cluster: string, copyOf?: string): Promise<Address> {
    return this.#turns.take(name, async () => {
      const folder = await this.#folders.place(name, cluster);
      if (copyOf !== undefined && !existsSync(folder.path)) await this.#copy(copyOf, folder);
      const { port } = await ensurePostgres(folder.path, { settings: SETTINGS });
      return { host: HOST, port };
    });
  }

  /** Fills the folder of an instance in one step, and starts it. */
  putFilled(name: string, cluster: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
    return this.#turns.take(name, async () => {
      const folder = await this.#folders.place(name, cluster);
      if (!existsSync(folder.path)) await this.#folders.fill(folder, fill);
      await ensurePostgres(folder.path);
    });
  }

  /** Where clients reach an instance. Gives `undefined` when it does not exist or is fenced. */
  async locate(name: string): Promise<Address | undefined> {
    const folder = await this.#folders.find(name);
    if (!folder || isFenced(folder)) return undefined;
    const port = Number(await readFile(join(folder.path, 'port'), 'utf8').catch(() => ''));
    return port ? { host: HOST, port } : undefined;
  }

  /** @throws HostError when there is no such instance */
  async folder(name: string): Promise<string> {
    return (await this.#folders.get(name)).path;
  }

  all(): Promise<readonly InstanceFolder[]> {
    return this.#folders.all();
  }

  async has(name: string): Promise<boolean> {
    return (await this.#folders.find(name)) !== undefined;
  }

  remove(name: string): Promise<void> {
    return this.#turns.take(name, async () => {
      const folder = await this.#folders.find(name);
      if (folder) await removePostgres(folder.path);
    });
  }

  /** Keeps clients away from now on. New ones are turned away, and those that are connected are cut off. */
  async closeToClients(name: string): Promise<void> {
    await writeFileAtomically(join(await this.folder(name), 'fenced'), '');
    await this.query(name, 'postgres', async (client) => {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
    });
  }

  /** Stops an instance until it is released. What is in it stays as it is. */
  async fence(name: string): Promise<void> {
    const path = await this.folder(name);
    await writeFileAtomically(join(path, 'fenced'), '');
    await this.#turns.take(name, () => stopPostgres(path));
  }

  async release(name: string): Promise<void> {
    const path = await this.folder(name);
    await rm(join(path, 'fenced'), { force: true });
    await this.#turns.take(name, () => ensurePostgres(path));
  }

  /** Works in a database of an instance as its superuser. A fenced instance is started for that. */
  async query<T>(name: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: (await this.run(name)).url(database),
      application_name: sessionName(),
    });
    // A connection that breaks fails the query that runs. Where none runs, it must not end the host.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /**
   * Gives what a process on this machine logs in with as the superuser, to work beside the clients of a server. The instance may not run
   * at the moment.
   * @throws HostError `fenced` while nobody may connect
   */
  async login(name: string): Promise<Login> {
    const folder = await this.#folders.get(name);
    if (isFenced(folder)) throw new HostError(409, 'fenced', `The instance '${name}' is fenced.`);
    const url = await storedUrl(folder.path);
    if (url === undefined) throw new HostError(404, 'no_instance', `The instance '${name}' has not started yet.`);
    return { url };
  }

  /** Starts an instance where needed. @throws HostError when there is no such instance */
  async run(name: string): Promise<RunningPostgres> {
    const path = await this.folder(name);
    return ensurePostgres(path, { settings: SETTINGS });
  }

  async #copy(source: string, target: InstanceFolder): Promise<void> {
    const folder = await this.#folders.get(source);
    await this.#folders.fill(target, async (unfinished) => {
      if (isFenced(folder) && (await runningPid(folder.path)) === undefined)
        return copyStopped(folder.path, unfinished);
      return this.query(source, 'postgres', (client) => copyRunning(folder.path, unfinished, client));
    });
  }

  async #startStopped(): Promise<void> {
    for (const { name, path } of await this.#folders.all()) {
      if ((await runningPid(path)) !== undefined) continue;
      await this.#turns.take(name, () => this.#startAgain(name));
    }
  }

  async #startAgain(name: string): Promise<void> {
    // It may have been removed or fenced since it was found. Nothing comes between this look and the start.
    const folder = await this.#folders.find(name);
    if (!folder || isFenced(folder)) return;
    try {
      const { port } = await ensurePostgres(folder.path, { settings: SETTINGS });
      this.#log(`instance ${name} runs on ${HOST}:${port}`);
    } catch (thrown) {
      this.#log(`instance ${name} does not start, and is tried again: ${(thrown as Error).message}`);
    }
  }
}

function isFenced({ path }: InstanceFolder): boolean {
  return existsSync(join(path, 'fenced'));
}
