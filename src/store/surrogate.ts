/*
 * Numbers in start order without a counter, so that a row which arrives late has its place by its start. They fit a JSON
 * number until the year 2094. S5.1
 */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** The numbers of one millisecond. */
const PLACES = 4_096;

/**
 * The number of what started at a time (milliseconds since 1970). The hash of its name chooses the place within the
 * millisecond; where that is taken, the number is the next free one.
 */
export function surrogate(startedAt: number, hash: number): number {
  return Math.max(0, Math.floor(startedAt) - EPOCH_MS) * PLACES + (hash % PLACES);
}
