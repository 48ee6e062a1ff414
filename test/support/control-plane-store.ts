import { dimensionNames } from '../../src/definition/dimension-names.js';
import { retentionFrom, openStore, type Store, type StoreOptions } from '../../src/store/index.js';
import { controlPlane } from '../../workflows/definitions.js';

/** The store of the reference control plane, with the dimensions that its entities declare. */
export function openControlPlaneStore(
  url: string,
  options: Partial<Pick<StoreOptions, 'queryMs' | 'warn'>> = {},
): Store {
  const dimensions = dimensionNames(controlPlane);
  return openStore({
    warn: (message) => console.error(message),
    ...retentionFrom(process.env),
    ...options,
    url,
    dimensions,
  });
}
