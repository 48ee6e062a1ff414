import pg from 'pg';
import { ResourceError } from '../../src/protocol/errors.js';
import type { HostClient } from '../host/client.js';
import type { Credentials } from '../host/databases.js';
import type { Login } from '../host/instances.js';
import { forgetMaking, noteMaking, type Making } from '../host/making.js';

/** The most that PostgreSQL keeps of the name of a session, in bytes. */
const LONGEST_NAME = 63;
/** For how long a session is kept that nobody needs, in milliseconds. */
const KEPT_MS = 10_000;
/** The codes with which PostgreSQL refuses a connection when it takes nobody at the moment. */
const TOO_MANY_CONNECTIONS = '53300';
const CANNOT_CONNECT_NOW = '57P03';
/** How many notes are remembered as made. */
const MOST_NOTES = 1_000;

/** Gives sessions in the databases of instances. */
export interface SessionSource {
  /** Works in a session. `name` says for whom that is. */
  use<T>(application: string, database: string, name: string, work: (client: pg.Client) => Promise<T>): Promise<T>;
}

interface Idle {
  readonly client: pg.Client;
  readonly timer: NodeJS.Timeout;
}

/*
 * sessions.1. A session that somebody has given back is used again, since a new one costs more than most of what is done in it. It
 *     brings nothing along: no lock, no setting. One in which something has failed is ended.
 */
/** Sessions in the databases of instances: of the superuser, and of the administrators of servers. */
export class Sessions implements SessionSource {
  readonly #host: HostClient;
  readonly #idle = new Map<string, Idle[]>();
  readonly #noted = new Set<string>();

  constructor(host: HostClient) {
    this.#host = host;
  }

  /** The address of the database `postgres` of an instance. @throws ResourceError `fenced`, `no_instance`, `host_unreachable` */
  async login(application: string): Promise<string> {
    return (await this.#host.request<Login>('GET', ['instances', application, 'login'])).url;
  }

  async use<T>(
    application: string,
    database: string,
    name: string,
    work: (client: pg.Client) => Promise<T>,
    server?: string,
  ): Promise<T> {
    const client = await this.open(application, database, name, server);
    let done: T;
    try {
      done = await work(client);
    } catch (thrown) {
      await client.end();
      throw thrown;
    }
    // A database admits only so many sessions of others than the superuser, and its clients need them.
    if (server === undefined) await this.giveBack(application, database, client);
    else await client.end();
    return done;
  }

  /**
   * Sessions of the administrator of a server, who owns its databases. What users have written, such as a rule with functions of their
   * own, runs only in these: in a session of the superuser it could become the superuser.
   */
  asAdministratorOf(server: string): SessionSource {
    return { use: (application, database, name, work) => this.use(application, database, name, work, server) };
  }

  /** Takes a session, which whoever takes it has to give back or to end. */
  async open(application: string, database: string, name: string, server?: string): Promise<pg.Client> {
    const idle = server === undefined ? this.#idle.get(keyOf(application, database))?.pop() : undefined;
    if (idle) clearTimeout(idle.timer);
    const client = idle?.client ?? (await this.#connect(application, database, server));
    try {
      await client.query(`SET application_name = ${pg.escapeLiteral(sessionName(name))}`);
      return client;
    } catch (thrown) {
      await client.end();
      // The instance was stopped since the session was used last. Whether it can be used says the next try.
      if (idle) return this.open(application, database, name, server);
      throw thrown;
    }
  }

  /** sessions.1 */
  async giveBack(application: string, database: string, client: pg.Client): Promise<void> {
    try {
      await client.query('DISCARD ALL');
    } catch {
      // Its connection has broken, and nothing in it is needed any more.
      return client.end();
    }
    const key = keyOf(application, database);
    const all = this.#idle.get(key) ?? [];
    this.#idle.set(key, all);
    const timer = setTimeout(() => {
      all.splice(
        all.findIndex((each) => each.client === client),
        1,
      );
      void client.end();
    }, KEPT_MS);
    all.push({ client, timer });
  }

  /** Notes what an operation is about to make in a database, so that a standby is not taken for stale meanwhile. */
  async noteMaking(application: string, making: Making): Promise<void> {
    const note = JSON.stringify([application, making]);
    if (this.#noted.has(note)) return;
    await this.use(application, 'postgres', making.instance, (client) => noteMaking(client, making));
    if (this.#noted.size >= MOST_NOTES) this.#noted.clear();
    this.#noted.add(note);
  }

  /** Forgets what an operation was making: it is there from now on, or is gone. */
  async forgetMaking(application: string, instance: string): Promise<void> {
    await this.use(application, 'postgres', instance, (client) => forgetMaking(client, instance));
  }

  /** The names of the instances in a data cluster. */
  async instancesIn(cluster: string): Promise<readonly string[]> {
    const path = ['data-clusters', cluster, 'instances'];
    return (await this.#host.request<{ readonly names: readonly string[] }>('GET', path)).names;
  }

  /** Ends the sessions that nobody uses. */
  async close(): Promise<void> {
    const all = [...this.#idle.values()].flatMap((each) => each.splice(0));
    for (const { timer } of all) clearTimeout(timer);
    await Promise.all(all.map(({ client }) => client.end()));
  }

  async #connect(application: string, database: string, server: string | undefined): Promise<pg.Client> {
    const url = new URL(await this.login(application));
    const { user, password } =
      server === undefined
        ? { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
        : await this.#host.request<Credentials>('GET', ['administrators', server]);
    const at = { host: url.hostname, port: Number(url.port), database, user, password };
    const client = new pg.Client({ ...at, keepAlive: true });
    // A connection that breaks fails the statement that runs. Where none runs, it must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

/**
 * Tells whether an instance cannot be used now: it is fenced, not there yet, or starts; or clients have all the sessions that its database
 * admits. That passes, or the instance is replaced.
 */
export function isAway(thrown: unknown): thrown is Error {
  if (thrown instanceof pg.DatabaseError) return [TOO_MANY_CONNECTIONS, CANNOT_CONNECT_NOW].includes(thrown.code ?? '');
  return thrown instanceof ResourceError && ['fenced', 'no_instance', 'host_unreachable'].includes(thrown.code);
}

function keyOf(application: string, database: string): string {
  return `${application}/${database}`;
}

function sessionName(name: string): string {
  return `reeve ${name}`.replaceAll(/[^ -~]/gu, '?').slice(0, LONGEST_NAME);
}
