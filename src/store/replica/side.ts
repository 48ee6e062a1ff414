import pg from 'pg';
import { createPool } from '../pool.js';
import { readingFailure } from '../reading-failure.js';
import { SideAway } from './replica-error.js';
import { messageOf } from '../../definition/thrown.js';

/** A connection, or several of which any will do. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Codes of PostgreSQL for a login that it does not take, and for a database that is not there. */
const NOT_LET_IN = ['28000', '28P01', '3D000'];

/** PostgreSQL's code when a setting allows no more of something: it is not away. */
const LIMIT_OF_SETTINGS = '53400';

/** A store that takes no more rows still lets those work who look after its replicas. */
const BEGIN = 'set default_transaction_read_only = off';

/** One of the two databases of a replica: the store itself, or the replica of it. */
export class Side {
  readonly pool: pg.Pool;
  /** Where it is, for people, without its user and password. */
  readonly place: string;
  /** With its password. */
  readonly url: string;
  readonly #role: 'store' | 'replica';

  constructor(role: 'store' | 'replica', { url, place }: { readonly url: string; readonly place: string }) {
    this.#role = role;
    this.url = url;
    this.place = place;
    this.pool = createPool({ url, connections: 4, name: `reeve replica`, begin: BEGIN });
  }

  /** How it is called at the beginning of a sentence. */
  get called(): string {
    return `The ${this.#role} at ${this.place}`;
  }

  /** @throws SideAway, and what PostgreSQL says */
  query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<readonly R[]> {
    return this.attempt(async () => (await this.pool.query<R>(text, values)).rows);
  }

  /** The one row of a query. @throws SideAway, and what PostgreSQL says */
  async one<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R> {
    const [row] = await this.query<R>(text, values);
    if (row === undefined) throw new Error(`${this.called} gave no row.`);
    return row;
  }

  /** Works on one connection, which may take any time. @throws SideAway, and what PostgreSQL says */
  session<T>(work: (client: pg.Client) => Promise<T>, url = this.url): Promise<T> {
    return this.attempt(async () => {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'reeve replica',
        connectionTimeoutMillis: 5_000,
      });
      // A connection that breaks while nobody asks: the next statement fails.
      client.on('error', () => undefined);
      await client.connect();
      try {
        await client.query(BEGIN);
        return await work(client);
      } finally {
        await client.end();
      }
    });
  }

  /** @throws SideAway where the work fails since this side does not answer, or lets nobody in */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown;
      throw new SideAway(`${this.#role}_unreachable`, `${this.called} cannot be reached: ${said(thrown)}.`, {
        cause: thrown,
      });
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function isAway(thrown: unknown): boolean {
  // It names the other side, or the same one already.
  if (thrown instanceof SideAway) return false;
  const code = thrown instanceof pg.DatabaseError ? thrown.code : undefined;
  if (code === LIMIT_OF_SETTINGS) return false;
  if (code !== undefined && NOT_LET_IN.includes(code)) return true;
  if (thrown instanceof Error && thrown.message.includes('not queryable')) return true;
  return readingFailure(thrown) === 'away';
}

function said(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(said).join('; ');
  return messageOf(thrown);
}
