import type { Dimensions } from '../../protocol/records.js';

/** How many characters an index of PostgreSQL takes, whatever the characters are. */
const LONGEST = 600;

/** The values of dimensions, cut after 600 characters. That is enough, since they serve to find rows, not to be read. */
export function dimensionValues(dimensions: Dimensions): Dimensions {
  if (Object.values(dimensions).every(({ length }) => length <= LONGEST)) return dimensions;
  return Object.fromEntries(Object.entries(dimensions).map(([name, value]) => [name, value.slice(0, LONGEST)]));
}
