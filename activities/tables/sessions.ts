import pg from 'pg';
import { ResourceError } from '../../src/protocol/errors.js';
import type { HostClient } from '../host/client.js';
import { forgetMaking, noteMaking, type Making } from '../host/making.js';
import type { Login } from '../host/instances.js';

/** The most that PostgreSQL keeps of the name of a session, in bytes. */
const LONGEST_NAME = 63;

/** Sessions of the superuser in the databases of instances. */
export class Sessions {
  readonly #host: HostClient;

  constructor(host: HostClient) {
    this.#host = host;
  }

  /** The address of the database `postgres` of an instance. @throws ResourceError `fenced`, `no_instance`, `host_unreachable` */
  async login(application: string): Promise<string> {
    return (await this.#host.request<Login>('GET', ['instances', application, 'login'])).url;
  }

  /** Opens a session, which whoever asks for it has to end. `name` says for whom it is. */
  async open(application: string, database: string, name: string): Promise<pg.Client> {
    const url = new URL(await this.login(application));
    url.pathname = `/${encodeURIComponent(database)}`;
    const client = new pg.Client({
      connectionString: url.href,
      application_name: `reeve ${name}`.replaceAll(/[^ -~]/gu, '?').slice(0, LONGEST_NAME),
      keepAlive: true,
    });
    // A connection that breaks fails the statement that runs. Where none runs, it must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async use<T>(
    application: string,
    database: string,
    name: string,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const client = await this.open(application, database, name);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Notes what an operation is about to make in a database, so that a standby is not taken for stale meanwhile. */
  async noteMaking(application: string, making: Making): Promise<void> {
    await this.use(application, 'postgres', making.instance, (client) => noteMaking(client, making));
  }

  /** What an operation has made is there from now on, or is gone. */
  async forgetMaking(application: string, instance: string): Promise<void> {
    await this.use(application, 'postgres', instance, (client) => forgetMaking(client, instance));
  }

  /** The names of the instances in a data cluster. */
  async instancesIn(cluster: string): Promise<readonly string[]> {
    return (
      await this.#host.request<{ readonly names: readonly string[] }>('GET', ['data-clusters', cluster, 'instances'])
    ).names;
  }
}

/** Whether an instance cannot be used now, since it is fenced or not there yet. That passes, or it is replaced. */
export function isAway(thrown: unknown): thrown is ResourceError {
  return thrown instanceof ResourceError && ['fenced', 'no_instance', 'host_unreachable'].includes(thrown.code);
}
