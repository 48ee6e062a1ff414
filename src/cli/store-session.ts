import { findProject } from './definitions.js';
import type { Store } from '../store/index.js';
import { messageOf } from '../definition/thrown.js';
import { Unreachable } from './unreachable.js';

/** The names of the dimensions that the project's entities declare: columns of the store's views. */
export async function declaredDimensions(): Promise<readonly string[]> {
  return (await (await findProject()).declared()).dimensions;
}

/** Works with the store as its owner: the store that `DATABASE_URL` names, or that of the running stack. @throws Unreachable */
export async function withOwnStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { entities, dimensions } = await (await findProject()).declared();
  // Commands that work elsewhere do not wait until the code for PostgreSQL is loaded.
  const { findDatabase } = await import('../stack/database.js');
  const { findPayloadSettings } = await import('../stack/payload-keys.js');
  const { openStore, secretProperties } = await import('../store/index.js');
  const url = await findDatabase().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  const secret = secretProperties(entities);
  const payloads = findPayloadSettings();
  const store = openStore({ url, dimensions, secret, payloads, warn: (message) => console.error(message) });
  try {
    return await work(store);
  } catch (thrown) {
    const { storeFailure } = await import('./store-failure.js');
    throw storeFailure(thrown, url) ?? thrown;
  } finally {
    await store.close();
  }
}
