import { openStore, type Store } from '../src/store/index.js';
import { controlPlane } from '../workflows/definitions.js';

/** The store of the reference control plane, with the dimensions that its entities declare. */
export function openControlPlaneStore(
  url: string,
  warn: (message: string) => void = (message) => console.error(message),
): Store {
  const dimensions = [...new Set(controlPlane.flatMap((entity) => Object.keys(entity.dimensions)))];
  return openStore({ url, dimensions, warn });
}
