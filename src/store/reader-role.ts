import { createHmac } from 'node:crypto';
import pg from 'pg';
import { READER_ROLE, VIEWS } from './names.js';

/** The user as which readers log in. */
export interface ReaderLogin {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly url: string;
}

const NOT_PERMITTED = '42501';
/** Codes of PostgreSQL for a role that another process makes or changes at the same time. */
const AT_THE_SAME_TIME = ['42710', '23505', 'XX000'];
const ATTEMPTS = 5;

/**
 * The user as which readers of a store log in. The password is made from the password of the store's owner, so that every
 * process that knows the one knows the other, and nothing is stored.
 */
export function readerLogin(url: string): ReaderLogin {
  const reader = new URL(url);
  const database = decodeURIComponent(reader.pathname.slice(1));
  const user = `reeve_reads_${database}`.slice(0, 63);
  const password = createHmac('sha256', reader.password || url)
    .update(user)
    .digest('base64url');
  reader.username = encodeURIComponent(user);
  reader.password = password;
  return { user, password, database, url: reader.href };
}

/**
 * Makes the role that can read the views and nothing else, and the user that has it. Where the store's own user may not make
 * roles, it warns, and names what an administrator can do so that the next migration may. S5.2
 */
export async function makeReader(
  client: pg.ClientBase,
  login: ReaderLogin,
  warn: (message: string) => void,
): Promise<void> {
  const { user, password, database } = login;
  const name = pg.escapeIdentifier(user);
  try {
    await make(client, READER_ROLE, [`create role ${READER_ROLE} nologin`]);
    await make(client, user, [
      `create role ${name} login in role ${READER_ROLE}`,
      `alter role ${name} in database ${pg.escapeIdentifier(database)} set search_path = ${VIEWS}`,
      `alter role ${name} set default_transaction_read_only = on`,
      `alter role ${name} set statement_timeout = '30s'`,
    ]);
    const secret = `alter role ${name} password ${pg.escapeLiteral(password)}`;
    await repeat(async () => void (await client.query(secret)));
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== NOT_PERMITTED) throw thrown;
    const { rows } = await client.query<{ owner: string }>('select current_user as owner');
    const owner = pg.escapeIdentifier(rows[0]!.owner);
    const role = (await exists(client, READER_ROLE)) ? '' : `create role ${READER_ROLE} nologin; `;
    warn(
      `The user of the database may not make the role of readers (${thrown.message}), so reads use that same user, in ` +
        `read-only transactions. If reads should see nothing but the views, let an administrator run this, and migrate again: ` +
        `${role}grant ${READER_ROLE} to ${owner} with admin option; alter role ${owner} createrole;`,
    );
  }
  if (!(await exists(client, READER_ROLE))) return;
  await client.query(`grant usage on schema ${VIEWS} to ${READER_ROLE};
    grant select on all tables in schema ${VIEWS} to ${READER_ROLE}`);
}

async function make(client: pg.ClientBase, role: string, statements: readonly string[]): Promise<void> {
  await repeat(async () => {
    if (!(await exists(client, role))) await client.query(statements.join('; '));
  });
}

async function exists(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  return rowCount === 1;
}

/** Repeats work on roles. These belong to the whole server, where other processes may change them at the same time. */
async function repeat(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      const code = thrown instanceof pg.DatabaseError ? (thrown.code ?? '') : '';
      if (attempt === ATTEMPTS || !AT_THE_SAME_TIME.includes(code)) throw thrown;
    }
  }
}
