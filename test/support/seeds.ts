/**
 * How much a test tries of what it could: as much as finds most mistakes at the first try, less where it judges thousands of
 * mutants, and all of it by `npm run test:seeds`.
 */
const PART = Number(process.env['REEVE_PART_OF_TESTS'] ?? 0.25);

/** The seeds that a test tries: 1, 2, 3, ... */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: part(count) }, (_, index) => index + 1);
}

/** So many of what a test could do: at least one. */
export function part(count: number): number {
  return Math.ceil(count * PART);
}
