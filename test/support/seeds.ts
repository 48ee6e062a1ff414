/** The part of its seeds that a test tries: fewer where it judges thousands of mutants. */
const PART = Number(process.env['REEVE_PART_OF_SEEDS'] ?? 1);

/** The seeds that a test tries: 1, 2, 3, ... */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count * PART) }, (_, index) => index + 1);
}
