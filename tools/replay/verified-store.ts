import { dimensionNames } from '../../src/definition/dimension-names.js';
import { openStore, type Store } from '../../src/store/index.js';
import { verified } from './entities/definitions.js';

/** The store of the entities that are verified. */
export function openVerifiedStore(url: string, warn: (message: string) => void): Store {
  return openStore({ url, dimensions: dimensionNames(verified), warn });
}
