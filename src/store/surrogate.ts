/*
 * Numbers in start order without a counter, so that a row which arrives late has its place by its start. They fit a JSON
 * number until the year 2094. S5.1
 */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** The numbers of one millisecond, and those of them at which an entity may begin to count. */
const PLACES = 4_096;
const FIRST_PLACES = 2_048;

/**
 * The number of what started at a time (milliseconds since 1970). The hash of its entity chooses the place within the
 * millisecond at which that entity begins to count, and `order` says how many of its own come before; where a number is
 * taken, it is the next free one.
 */
export function surrogate(startedAt: number, hash: number, order = 0): number {
  const place = (hash % FIRST_PLACES) + Math.min(order, PLACES - FIRST_PLACES);
  return Math.max(0, Math.floor(startedAt) - EPOCH_MS) * PLACES + place;
}
