import { messageOf } from '../src/cli/message.js';
import { databasePlace, databaseRemedy } from '../src/stack/database.js';
import { createDatabase, readingFailure } from '../src/store/index.js';
import { openControlPlaneStore } from './control-plane-store.js';

/**
 * Makes the store's tables and views as this version needs them.
 * @throws when the database cannot be used; the message says what to do
 */
export async function prepareStore(databaseUrl: string): Promise<void> {
  try {
    // A database that DATABASE_URL names exists already.
    if (!process.env['DATABASE_URL']) await createDatabase(databaseUrl);
    await migrate(databaseUrl);
  } catch (thrown) {
    if (readingFailure(thrown) === undefined) throw thrown;
    const store = `The store at ${databasePlace(databaseUrl)}`;
    throw new Error(`${store} cannot be used: ${messageOf(thrown)}. ${databaseRemedy()}`, { cause: thrown });
  }
}

async function migrate(databaseUrl: string): Promise<void> {
  const store = openControlPlaneStore(databaseUrl);
  try {
    await store.migrate();
  } finally {
    await store.close();
  }
}
