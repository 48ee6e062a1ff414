import { openStore, type Store, type StoreOptions } from '../src/store/index.js';
import { controlPlane } from '../workflows/definitions.js';

/** The store of the reference control plane, with the dimensions that its entities declare. */
export function openControlPlaneStore(url: string, options: Pick<StoreOptions, 'queryMs'> = {}): Store {
  const dimensions = [...new Set(controlPlane.flatMap((entity) => Object.keys(entity.dimensions)))];
  return openStore({ ...options, url, dimensions, warn: (message) => console.error(message) });
}
