import { retentionFrom, type Retention } from './environment.js';
import { findGaps, type Gap } from './gaps.js';
import { migrate } from './migrate.js';
import { pendingChanges } from './pending.js';
import { createPool } from './pool.js';
import { openReader, type StoreReader } from './reader.js';
import { readerLogin } from './reader-role.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import type { SecretProperties } from './secrets/secret-properties.js';
import { RowSecrets } from './secrets/row-secrets.js';
import { StoreWriter } from './writing/writer.js';

/** Holds where the store is, and what it keeps. */
export interface StoreOptions extends Partial<Retention> {
  /** `postgresql://user:password@host:port/database`. The user owns the tables. */
  readonly url: string;
  /** The names of the dimensions that the application declares. S1.1 */
  readonly dimensions: readonly string[];
  /** Sets what is secret in the rows, and with which keys. Nothing by default. Q5 */
  readonly secret?: SecretProperties;
  readonly payloads?: PayloadSettings;
  /** Sets how long one query of the reader may take, in milliseconds. Default: 30 s, the limit of the reader's user. */
  readonly queryMs?: number;
  /** Sets how long the writer waits for PostgreSQL where somebody waits for that, in milliseconds. Default: 2,000. */
  readonly keepWithinMs?: number;
  /** Is called with messages that a person should read. */
  readonly warn?: (message: string) => void;
}

/** The PostgreSQL that keeps what happened, for people and SQL. S5.2 */
export interface Store {
  readonly writer: StoreWriter;
  /** Decrypts what is secret in the rows that the reader gives. Q5 */
  readonly secrets: RowSecrets;
  /** Queries over the views, as a user that sees nothing else. */
  readonly reader: StoreReader;
  /** Brings the tables and views to what this version needs. It can be repeated, and several processes can do it at once. */
  migrate(): Promise<void>;
  /** The lives of entities of which transitions are missing. */
  gaps(): Promise<readonly Gap[]>;
  /** Returns what `migrate` would change, for people; empty when the store is as this version needs it. */
  pending(): Promise<readonly string[]>;
  /** Writes what waits, and ends the connections. */
  close(): Promise<void>;
}

/**
 * Writers find all rows by their keys, one by one. PostgreSQL would read whole tables where it made its plan while they were small, and whole
 * lives that are younger than its statistics.
 */
const BY_KEYS = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

/**
 * Opens a store. It connects only when there is something to do.
 * @throws Error for people, when properties are secret and there are no keys
 */
export function openStore(options: StoreOptions): Store {
  const { url, dimensions, queryMs, keepWithinMs, warn = () => undefined } = options;
  const { rejectionsKeptMs, changesKeptMs } = { ...retentionFrom({}), ...options };
  const login = readerLogin(url);
  const secrets = new RowSecrets(options.secret ?? new Map(), options.payloads ?? UNENCRYPTED);
  // Offers are written one batch at a time, without waiting for the disk: what a crash of PostgreSQL loses is brought again.
  const offers = createPool({
    url,
    connections: 1,
    name: 'reeve offers',
    begin: `set synchronous_commit = off; ${BY_KEYS}`,
  });
  const keeps = createPool({ url, connections: 3, name: 'reeve keeps', begin: BY_KEYS });
  const whole = createPool({ url, connections: 3, name: 'reeve migrations' });
  const writer = new StoreWriter({ offers, keeps, secrets, warn, keepWithinMs, rejectionsKeptMs, changesKeptMs });
  const { reader, close } = openReader(url, login, { warn, queryMs });
  let closed: Promise<unknown> | undefined;
  return {
    writer,
    secrets,
    reader,
    migrate: () => migrate(whole, { dimensions, login, warn }),
    gaps: () => findGaps(whole),
    pending: () => pendingChanges(whole, dimensions),
    async close() {
      closed ??= writer.close().then(() => Promise.all([offers.end(), keeps.end(), whole.end(), close()]));
      await closed;
    },
  };
}
