import { dimensionNames } from '../src/definition/dimension-names.js';
import { openStore, rejectionsKeptFrom, type Store, type StoreOptions } from '../src/store/index.js';
import { controlPlane } from '../workflows/definitions.js';

/** The store of the reference control plane, with the dimensions that its entities declare. */
export function openControlPlaneStore(
  url: string,
  options: Partial<Pick<StoreOptions, 'queryMs' | 'warn'>> = {},
): Store {
  const dimensions = dimensionNames(controlPlane);
  const rejectionsKeptMs = rejectionsKeptFrom(process.env);
  return openStore({ warn: (message) => console.error(message), rejectionsKeptMs, ...options, url, dimensions });
}
