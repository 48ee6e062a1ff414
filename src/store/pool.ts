import pg from 'pg';

const { types } = pg;

/** How values are read. Numbers of the store fit a JSON number, and a day is a text: `2026-11-21`. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [types.builtins.INT8]: Number,
  [types.builtins.DATE]: String,
};

export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  /** The name that PostgreSQL shows in its lists of connections. */
  readonly name: string;
  /** Statements with which each connection begins. */
  readonly begin?: string;
}

/** How long connecting may take, and how long one statement, in milliseconds. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;

/** A pool of connections to the store. They are made when they are needed. */
export function createPool({ url, connections, name, begin }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') => PARSERS[id] ?? types.getTypeParser(id, format),
    },
    // The types of `pg` do not say that the pool waits for the promise.
    // oxlint-disable-next-line typescript/no-misused-promises
    ...(begin !== undefined && { onConnect: (client: pg.ClientBase) => client.query(begin) }),
  });
  // A connection that breaks while nobody uses it does no harm: the next statement makes another one.
  pool.on('error', () => undefined);
  // One that breaks between two statements of somebody who holds it fails the next one, and must not end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}
