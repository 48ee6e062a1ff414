import { messageOf } from '../definition/thrown.js';
import { databasePlace, databaseRemedy } from '../stack/database.js';
import { createDatabase, readingFailure } from '../store/index.js';
import type { Project } from './project.js';
import { openProjectStore } from './project-store.js';

/**
 * Makes the store's tables and views as this version and the project need them.
 * @throws when the database cannot be used; the message says what to do
 */
export async function prepareStore(project: Project, databaseUrl: string): Promise<void> {
  try {
    // A database that DATABASE_URL names exists already.
    if (!process.env['DATABASE_URL']) await createDatabase(databaseUrl);
    await migrate(project, databaseUrl);
  } catch (thrown) {
    if (readingFailure(thrown) === undefined) throw thrown;
    const store = `The store at ${databasePlace(databaseUrl)}`;
    throw new Error(`${store} cannot be used: ${messageOf(thrown)}. ${databaseRemedy()}`, { cause: thrown });
  }
}

async function migrate(project: Project, databaseUrl: string): Promise<void> {
  const store = await openProjectStore(project, databaseUrl);
  try {
    await store.migrate();
  } finally {
    await store.close();
  }
}
