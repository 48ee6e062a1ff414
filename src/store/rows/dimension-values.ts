import type { Dimensions } from '../../protocol/records.js';

/** What an index of PostgreSQL takes, whatever the characters are. */
const LONGEST = 600;

/** The values of dimensions, cut where they are longer than 600 characters: rows are found by them, not read. */
export function dimensionValues(dimensions: Dimensions): Dimensions {
  if (Object.values(dimensions).every(({ length }) => length <= LONGEST)) return dimensions;
  return Object.fromEntries(Object.entries(dimensions).map(([name, value]) => [name, value.slice(0, LONGEST)]));
}
