import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import {
  ensurePostgres,
  removePostgres,
  runningPid,
  stopPostgres,
  type RunningPostgres,
} from '../../src/stack/postgres.js';
import { HostError } from './host-error.js';
import { RecordFolder } from './record-folder.js';

const credentials = z.object({ database: z.string(), user: z.string(), password: z.string() });
export type Credentials = z.output<typeof credentials>;

export interface Address {
  readonly host: string;
  readonly port: number;
}

const HOST = '127.0.0.1';
const LOOK_EVERY_MS = 2_000;

/** PostgreSQL instances, one folder each, and the databases and administrators in them. */
export class Instances {
  readonly #folder: string;
  readonly #credentials: RecordFolder<typeof credentials>;
  readonly #log: (line: string) => void;
  #watch: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Instances that are being removed must not be started again by the watch. */
  readonly #removing = new Set<string>();
  /** Instances that the watch is starting: whoever removes one waits for that. */
  readonly #starting = new Map<string, Promise<void>>();

  private constructor(folder: string, records: RecordFolder<typeof credentials>, log: (line: string) => void) {
    this.#folder = folder;
    this.#credentials = records;
    this.#log = log;
  }

  static async open(folder: string, log: (line: string) => void): Promise<Instances> {
    await mkdir(join(folder, 'instances'), { recursive: true });
    return new Instances(folder, await RecordFolder.open(join(folder, 'credentials'), credentials), log);
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
    await Promise.all((await this.#names()).map((name) => stopPostgres(this.#path(name))));
  }

  async put(name: string): Promise<Address> {
    const { port } = await ensurePostgres(this.#path(name));
    return { host: HOST, port };
  }

  async locate(name: string): Promise<Address> {
    const { port } = await this.#running(name);
    return { host: HOST, port };
  }

  async remove(name: string): Promise<void> {
    this.#removing.add(name);
    try {
      await this.#starting.get(name);
      await removePostgres(this.#path(name));
      await this.#credentials.remove(name);
    } finally {
      this.#removing.delete(name);
    }
  }

  async putDatabase(name: string, database: string): Promise<void> {
    await this.#query(name, 'postgres', async (client) => {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
      if (rowCount) return;
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
    });
  }

  /** A role that owns the database and may make others, but is no superuser. Its password stays the same when repeated. */
  async putAdministrator(name: string, database: string, user: string): Promise<void> {
    const known = await this.#credentials.get(name);
    const password = known?.user === user ? known.password : randomBytes(18).toString('base64url');
    // The record comes first: a role whose password nobody knows would be worth nothing.
    await this.#credentials.put(name, { database, user, password });
    await this.#query(name, 'postgres', async (client) => {
      const role = pg.escapeIdentifier(user);
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [user]);
      if (!rowCount) await client.query(`CREATE ROLE ${role}`);
      await client.query(`ALTER ROLE ${role} LOGIN CREATEDB CREATEROLE PASSWORD ${pg.escapeLiteral(password)}`);
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} OWNER TO ${role}`);
    });
  }

  /** Removes a database and its administrator, if they are there. */
  async removeDatabase(name: string, database: string, user: string): Promise<void> {
    if (!(await this.#names()).includes(name)) return;
    await this.#query(name, 'postgres', async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
      await client.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(user)}`);
    });
    await this.#credentials.remove(name);
  }

  /** The administrator's. @throws HostError when there is none yet */
  async credentials(name: string): Promise<Credentials> {
    const known = await this.#credentials.get(name);
    if (known) return known;
    throw new HostError(404, 'no_credentials', `The instance '${name}' has no administrator yet.`);
  }

  async #running(name: string): Promise<RunningPostgres> {
    if (!(await this.#names()).includes(name)) {
      throw new HostError(404, 'no_instance', `There is no instance '${name}'. Create it first.`);
    }
    return ensurePostgres(this.#path(name));
  }

  async #query(name: string, database: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: (await this.#running(name)).url(database) });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  async #startStopped(): Promise<void> {
    for (const name of await this.#names()) {
      if ((await runningPid(this.#path(name))) !== undefined) continue;
      // It may have been removed since its name was read: nothing comes between this look and the start.
      if (this.#removing.has(name) || !existsSync(this.#path(name))) continue;
      const started = this.#startAgain(name);
      this.#starting.set(name, started);
      await started;
      this.#starting.delete(name);
    }
  }

  async #startAgain(name: string): Promise<void> {
    try {
      const { port } = await ensurePostgres(this.#path(name));
      this.#log(`instance ${name} runs on ${HOST}:${port}`);
    } catch (thrown) {
      this.#log(`instance ${name} does not start, it is tried again: ${(thrown as Error).message}`);
    }
  }

  async #names(): Promise<readonly string[]> {
    return readdir(join(this.#folder, 'instances'));
  }

  #path(name: string): string {
    return join(this.#folder, 'instances', name);
  }
}
