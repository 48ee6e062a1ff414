import type { AnyEntity } from '../definition/entity.js';
import { dimensionNames } from '../definition/dimension-names.js';
import { databasePlace, databaseRemedy, findDatabase } from '../stack/database.js';
import { openStore, readingFailure, type Store, type StoreReader } from '../store/index.js';
import { loadDefinitions } from './definitions.js';
import { messageOf } from './message.js';
import { Unreachable } from './unreachable.js';

/** What a command that reads the store works with. */
export interface StoreSession {
  readonly reader: StoreReader;
  readonly entities: readonly AnyEntity[];
  /** The names of the dimensions that the project's entities declare. */
  readonly dimensions: readonly string[];
}

/** The names of the dimensions that the project's entities declare: columns of the store's views. */
export async function declaredDimensions(): Promise<readonly string[]> {
  return dimensionNames(await loadDefinitions());
}

/** Reads the store: that which `DATABASE_URL` names, or that of the running stack. @throws Unreachable */
export async function withStore<T>(work: (session: StoreSession) => Promise<T>): Promise<T> {
  const entities = await loadDefinitions();
  return withOwnStore(
    ({ reader }, dimensions) => work({ reader, entities, dimensions }),
    () => undefined,
  );
}

/** Works with the same store as its owner. @throws Unreachable */
export async function withOwnStore<T>(
  work: (store: Store, dimensions: readonly string[]) => Promise<T>,
  warn = (message: string) => console.error(message),
): Promise<T> {
  const dimensions = await declaredDimensions();
  const url = await findDatabase().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  const store = openStore({ url, dimensions, warn });
  try {
    return await work(store, dimensions);
  } catch (thrown) {
    throw toUnreachable(thrown, url) ?? thrown;
  } finally {
    await store.close();
  }
}

/** What is wrong with the store and how to mend it, where it is the store that failed. */
function toUnreachable(thrown: unknown, url: string): Unreachable | undefined {
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
