import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import { SERVICE_OBJECTIVES, type ServiceObjective } from '../values/service-objective.js';
import { HostError } from './host-error.js';
import type { Instances } from './instances.js';
import { RecordFolder } from './record-folder.js';

const credentials = z.object({ database: z.string(), user: z.string(), password: z.string() });
export type Credentials = z.output<typeof credentials>;

/** The databases in the instances, and the administrators of the servers. */
export class Databases {
  readonly #instances: Instances;
  readonly #credentials: RecordFolder<typeof credentials>;

  private constructor(instances: Instances, records: RecordFolder<typeof credentials>) {
    this.#instances = instances;
    this.#credentials = records;
  }

  static async open(folder: string, instances: Instances): Promise<Databases> {
    return new Databases(instances, await RecordFolder.open(folder, credentials));
  }

  async put(application: string, database: string): Promise<void> {
    await this.#instances.query(application, 'postgres', async (client) => {
      if (await exists(client, database)) return;
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
    });
  }

  /**
   * Makes a role for the server's administrator, who owns the database and may make others, but is not a superuser. The password
   * is the same in all instances of a server, and stays the same when this is repeated. In a copy, the role takes the place of
   * another one.
   */
  async putAdministrator(
    server: string,
    application: string,
    { database, user, insteadOf }: { readonly database: string; readonly user: string; readonly insteadOf?: string },
  ): Promise<void> {
    const known = await this.#credentials.get(server);
    const password = known?.user === user ? known.password : randomBytes(18).toString('base64url');
    // The record comes first, since a role whose password nobody knows would be useless.
    if (known?.user !== user) await this.#credentials.put(server, { database, user, password });
    const role = pg.escapeIdentifier(user);
    await this.#instances.query(application, 'postgres', async (client) => {
      if (!(await hasRole(client, user))) await client.query(`CREATE ROLE ${role}`);
      await client.query(`ALTER ROLE ${role} LOGIN CREATEDB CREATEROLE PASSWORD ${pg.escapeLiteral(password)}`);
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} OWNER TO ${role}`);
    });
    if (insteadOf !== undefined && insteadOf !== user) await this.#replace(application, insteadOf, user);
  }

  /** Removes a database and its administrator, if they are there. */
  async remove(application: string, database: string, user: string): Promise<void> {
    if (!(await this.#instances.has(application))) return;
    await this.#instances.query(application, 'postgres', async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
      await client.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(user)}`);
    });
  }

  /**
   * Gives a database the resources of its service objective. The limit of connections holds from now on, and the memory for
   * sessions that begin from now on.
   */
  async scale(application: string, database: string, objective: ServiceObjective): Promise<void> {
    const { connections, workMemory } = SERVICE_OBJECTIVES[objective];
    const name = pg.escapeIdentifier(database);
    await this.#instances.query(application, 'postgres', async (client) => {
      await client.query(`ALTER DATABASE ${name} CONNECTION LIMIT ${connections}`);
      await client.query(`ALTER DATABASE ${name} SET work_mem = ${pg.escapeLiteral(workMemory)}`);
    });
  }

  /** Renames a database. Sessions in it are ended, since PostgreSQL does not rename a database that is in use. */
  async rename(application: string, from: string, to: string): Promise<void> {
    await this.#instances.query(application, 'postgres', async (client) => {
      const [isThere, isDone] = [await exists(client, from), await exists(client, to)];
      // A copy may keep its name.
      if (isThere && isDone && from !== to) {
        const message = `The instance '${application}' has a database '${to}' already. Choose another name.`;
        throw new HostError(409, 'database_exists', message);
      }
      if (isDone) return;
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [from]);
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(from)} RENAME TO ${pg.escapeIdentifier(to)}`);
    });
  }

  /** The credentials of the server's administrator. @throws HostError when there are none yet */
  async credentials(server: string): Promise<Credentials> {
    const known = await this.#credentials.get(server);
    if (known) return known;
    throw new HostError(404, 'no_credentials', `The server '${server}' has no administrator yet.`);
  }

  async forget(server: string): Promise<void> {
    await this.#credentials.remove(server);
  }

  /** Gives everything that one role owns to another one, in every database of an instance, and removes the first role. */
  async #replace(application: string, before: string, after: string): Promise<void> {
    const databases = await this.#instances.query(application, 'postgres', async (client) => {
      if (!(await hasRole(client, before))) return [];
      return (await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datallowconn')).rows;
    });
    const role = pg.escapeIdentifier(before);
    for (const { datname } of databases) {
      await this.#instances.query(application, datname, async (client) => {
        await client.query(`REASSIGN OWNED BY ${role} TO ${pg.escapeIdentifier(after)}`);
        await client.query(`DROP OWNED BY ${role}`);
      });
    }
    await this.#instances.query(application, 'postgres', async (client) => {
      await client.query(`DROP ROLE IF EXISTS ${role}`);
    });
  }
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  return (await client.query('SELECT FROM pg_database WHERE datname = $1', [database])).rowCount !== 0;
}

async function hasRole(client: pg.Client, user: string): Promise<boolean> {
  return (await client.query('SELECT FROM pg_roles WHERE rolname = $1', [user])).rowCount !== 0;
}
