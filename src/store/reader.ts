import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { VIEWS } from './names.js';
import { createPool } from './pool.js';
import type { ReaderLogin } from './reader-role.js';
import type { StoreViews } from './views/index.js';

/** Queries over the views. */
export type StoreReader = Kysely<StoreViews>;

const CONNECTIONS = 8;
/** Codes of PostgreSQL: the user does not exist, or its password is another one. */
const NO_LOGIN = ['28000', '28P01'];

/**
 * A query builder that sees only the views. It connects with the first query.
 * @param url the URL of the store's owner, which is used where the reader's user could not be made
 */
export function openReader(
  url: string,
  login: ReaderLogin,
  { warn, queryMs }: { readonly warn: (message: string) => void; readonly queryMs?: number | undefined },
): { readonly reader: StoreReader; readonly close: () => Promise<void> } {
  const pools: pg.Pool[] = [];
  const open = (from: string) => {
    const limit = queryMs === undefined ? '' : `; set statement_timeout = ${Math.ceil(queryMs)}`;
    const begin = `set search_path = ${VIEWS}; set default_transaction_read_only = on${limit}`;
    const pool = createPool({ url: from, connections: CONNECTIONS, name: 'reeve reader', begin });
    pools.push(pool);
    return pool;
  };
  const connect = async () => {
    const pool = open(login.url);
    try {
      (await pool.connect()).release();
      return pool;
    } catch (thrown) {
      await pool.end();
      if (!(thrown instanceof pg.DatabaseError) || !NO_LOGIN.includes(thrown.code ?? '')) throw thrown;
      warn(`Readers cannot log in to the store's database as '${login.user}', so reads use the store's own user.`);
      return open(url);
    }
  };
  const reader = new Kysely<StoreViews>({ dialect: new PostgresDialect({ pool: connect }) }).withSchema(VIEWS);
  // The builder ends its pool only after it was used, so the pools are ended here.
  return {
    reader,
    close: async () => void (await Promise.all(pools.filter((pool) => !pool.ended).map((p) => p.end()))),
  };
}
