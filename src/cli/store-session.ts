import { dimensionNames } from '../definition/dimension-names.js';
import { databasePlace, databaseRemedy, findDatabase } from '../stack/database.js';
import { openStore, readingFailure, type Store } from '../store/index.js';
import { loadDefinitions } from './definitions.js';
import { messageOf } from './message.js';
import { Unreachable } from './unreachable.js';

/** The names of the dimensions that the project's entities declare: columns of the store's views. */
export async function declaredDimensions(): Promise<readonly string[]> {
  return dimensionNames(await loadDefinitions());
}

/** Works with the store as its owner: the store that `DATABASE_URL` names, or that of the running stack. @throws Unreachable */
export async function withOwnStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const dimensions = await declaredDimensions();
  const url = await findDatabase().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  const store = openStore({ url, dimensions, warn: (message) => console.error(message) });
  try {
    return await work(store);
  } catch (thrown) {
    throw storeFailure(thrown, url) ?? thrown;
  } finally {
    await store.close();
  }
}

/** What is wrong with the store and how to mend it; nothing where something else has failed. */
export function storeFailure(thrown: unknown, url: string): Unreachable | undefined {
  const store = `The store at ${databasePlace(url)}`;
  switch (readingFailure(thrown)) {
    case undefined:
      return undefined;
    case 'outdated':
      return new Unreachable(
        `${store} is not what this version needs: ${messageOf(thrown)}. Run 'reeve store migrate'.`,
      );
    case 'away':
      return new Unreachable(`${store} cannot be reached: ${messageOf(thrown)}. ${databaseRemedy()}`);
    case 'refused':
      return new Unreachable(`${store} refuses: ${messageOf(thrown)}. ${databaseRemedy()}`);
    case 'too_much':
      return new Unreachable(`${store} refuses: ${messageOf(thrown)}. 'reeve doctor' looks for the cause.`);
  }
}
