import type { AnyEntity } from './entity.js';

/** The names of all dimensions that entities declare, each once: columns of the store's views. S1.1, S5.1 */
export function dimensionNames(entities: readonly AnyEntity[]): readonly string[] {
  return [...new Set(entities.flatMap(({ dimensions }) => Object.keys(dimensions)))];
}
