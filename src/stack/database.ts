import { dataDirectoryFrom, readStack } from './data-directory.js';

/**
 * The database that `DATABASE_URL` names, if it names one.
 * @throws when the value is not an address; the message leaves it out, since it is a secret
 */
export function configuredDatabase(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const url = env['DATABASE_URL'];
  return url ? databaseAddress(url, 'DATABASE_URL') : undefined;
}

/** The address that something names. @throws when that is none, without what it holds: it is a secret */
export function databaseAddress(url: string, what: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:/.test(url)) return url;
  throw new Error(
    `${what} is not an address of a PostgreSQL database. Write postgresql://user:password@host:port/database.`,
  );
}

/**
 * The database of the store: `DATABASE_URL`, or else that of the stack that runs on the data directory.
 * @throws when there is neither
 */
export async function findDatabase(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const configured = configuredDatabase(env);
  if (configured !== undefined) return configured;
  const home = dataDirectoryFrom(env);
  const stack = await readStack(home);
  if (stack) return stack.databaseUrl;
  throw new Error(
    `No stack is running in the data directory ${home}. Start one with 'npx reeve up', or set DATABASE_URL to a PostgreSQL database for the store.`,
  );
}

/** Where a database is, for people. It leaves out the user and the password. */
export function databasePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}

/** Tells what to do about a database that cannot be used. */
export function databaseRemedy(env: NodeJS.ProcessEnv = process.env): string {
  if (!env['DATABASE_URL'])
    return `Read the log of postgres, in the folder 'log' of ${dataDirectoryFrom(env)} (REEVE_DATA_DIR).`;
  return 'DATABASE_URL names it. Start that server and make that database there, or correct DATABASE_URL.';
}
