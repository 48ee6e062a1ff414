import { findGaps, type Gap } from './gaps.js';
import { migrate } from './migrate.js';
import { pendingChanges } from './pending.js';
import { createPool } from './pool.js';
import { openReader, type StoreReader } from './reader.js';
import { readerLogin } from './reader-role.js';
import { StoreWriter } from './writing/writer.js';

export interface StoreOptions {
  /** `postgresql://user:password@host:port/database`: its user owns the tables. */
  readonly url: string;
  /** The names of the dimensions that the application declares. S1.1 */
  readonly dimensions: readonly string[];
  /** The most milliseconds that one query of the reader may take. Default: 30 s, as the reader's user has it. */
  readonly queryMs?: number;
  /** How long it is kept what was rejected at once, in milliseconds. Default: 30 days. */
  readonly rejectionsKeptMs?: number;
  /** Told of what a person should know. */
  readonly warn?: (message: string) => void;
}

/** The PostgreSQL that keeps what happened, for people and SQL. S5.2 */
export interface Store {
  readonly writer: StoreWriter;
  /** Over the views, as a user that sees nothing else. */
  readonly reader: StoreReader;
  /** Makes the tables and views what this version needs. Can be repeated, and done by several processes at once. */
  migrate(): Promise<void>;
  /** Lives of entities of which it does not have all transitions. */
  gaps(): Promise<readonly Gap[]>;
  /** What `migrate` would change, for people; nothing when the store is what this version needs. */
  pending(): Promise<readonly string[]>;
  /** Writes what waits, and ends the connections. */
  close(): Promise<void>;
}

/** Opens a store. Nothing connects before there is something to do. */
export function openStore(options: StoreOptions): Store {
  const { url, dimensions, queryMs, rejectionsKeptMs, warn = () => undefined } = options;
  const login = readerLogin(url);
  // One batch at a time; what is lost with a crash of PostgreSQL is brought again.
  const offers = createPool({ url, connections: 1, name: 'reeve offers', begin: 'set synchronous_commit = off' });
  const keeps = createPool({ url, connections: 3, name: 'reeve keeps' });
  const writer = new StoreWriter({ offers, keeps, warn, ...(rejectionsKeptMs !== undefined && { rejectionsKeptMs }) });
  const { reader, close } = openReader(url, login, { warn, queryMs });
  let closed: Promise<unknown> | undefined;
  return {
    writer,
    reader,
    migrate: () => migrate(keeps, { dimensions, login, warn }),
    gaps: () => findGaps(keeps),
    pending: () => pendingChanges(keeps, dimensions),
    async close() {
      closed ??= writer.close().then(() => Promise.all([offers.end(), keeps.end(), close()]));
      await closed;
    },
  };
}
