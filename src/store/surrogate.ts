/*
 * Numbers in start order, made without a counter, so that a row which arrives late still has its place by its start. They fit
 * a JSON number until the year 2094. S5.1
 */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** How many numbers a millisecond has, and at how many of them an entity may begin to count. */
const PLACES = 4_096;
const FIRST_PLACES = 2_048;

/**
 * The number of something that started at a time, in milliseconds since 1970. The hash of its entity chooses the place within
 * the millisecond at which that entity begins to count, and `order` is how many of the entity's own come before. Where another
 * row has the number already, the writer moves to a later one.
 */
export function surrogate(startedAt: number, hash: number, order = 0): number {
  const place = (hash % FIRST_PLACES) + Math.min(order, PLACES - FIRST_PLACES);
  return Math.max(0, Math.floor(startedAt) - EPOCH_MS) * PLACES + place;
}
