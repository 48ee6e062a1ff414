import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createDatabase } from '../../src/store/create-database.js';
import { openStore, type Store } from '../../src/store/store.js';
import { ensurePostgres, removePostgres, stopPostgres } from '../../src/stack/postgres.js';
import { runService } from '../support/run-service.js';

export interface TestStore extends Store {
  readonly url: string;
  /** All that was said to a person. */
  readonly warnings: string[];
  /** As the owner. */
  query(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]>;
}

export interface TestServer {
  /** A store in a database of its own, migrated, that lasts as long as the test. */
  store(dimensions?: readonly string[]): Promise<TestStore>;
  /** The writer of another worker, on the same database. */
  writerOn(url: string): Store['writer'];
  /** The address of a new database. */
  database(): Promise<string>;
}

/** A server that a test may stop. */
export interface MortalTestServer extends TestServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The real PostgreSQL that all test files share. */
export function useServer(): TestServer {
  return serverOf({
    async database() {
      const url = await newUrl();
      await createDatabase(url);
      return url;
    },
    async migrated() {
      const { url: server, template } = await runService('postgres');
      const url = await newUrl();
      await ask(server, `create database ${databaseOf(url)} template ${template}`);
      return url;
    },
  });
}

/** The system still has what a killed server has written: only a machine that stops would lose it, and with it the test. */
const UNSYNCED = 'fsync = off\n';

/** A real PostgreSQL of the tests of a file, which they stop. */
export function useMortalServer(): MortalTestServer {
  let folder = '';
  let databases = 0;
  const start = () => ensurePostgres(folder, { settings: UNSYNCED });
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'reeve-store-')), 'postgres');
    await start();
  });
  afterAll(async () => {
    await removePostgres(folder);
    await rm(join(folder, '..'), { recursive: true, force: true });
  });
  const database = async () => {
    const url = (await start()).url(`store${++databases}`);
    await createDatabase(url);
    return url;
  };
  return {
    ...serverOf({ database, migrated: database }),
    start: async () => void (await start()),
    stop: () => stopPostgres(folder),
  };
}

/** How new databases come: empty, and as a store leaves them. */
interface Databases {
  database(): Promise<string>;
  migrated(): Promise<string>;
}

function serverOf({ database, migrated }: Databases): TestServer {
  return {
    database,
    writerOn(url) {
      const store = openStore({ url, dimensions: [] });
      onTestFinished(() => store.close());
      return store.writer;
    },
    async store(dimensions = []) {
      const url = await migrated();
      const warnings: string[] = [];
      const store = openStore({
        ...{ url, dimensions, warn: (message: string) => warnings.push(message) },
        // A machine that is busy with other tests writes hundreds of rows more slowly than a store is taken for away.
        keepWithinMs: 30_000,
      });
      await store.migrate();
      onTestFinished(() => store.close());
      return { ...store, url, warnings, query: (text, values) => ask(url, text, values) };
    },
  };
}

/** An address that nobody else has. */
async function newUrl(): Promise<string> {
  const url = new URL((await runService('postgres')).url);
  url.pathname = `/store_${randomBytes(6).toString('hex')}`;
  return url.href;
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** One query on a connection of its own. */
export async function ask(url: string, text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}
