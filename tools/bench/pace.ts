/** How much is measured. */
export interface Pace {
  readonly rounds: number;
  /** The calls in a round, one after the other. */
  readonly calls: number;
  /** How long many callers call in a round, in milliseconds. */
  readonly forMs: number;
  /** The number of entities that rest in the cache of a worker. */
  readonly cached: number;
  /** How many of the sizes of a case are measured with `--scale`. */
  readonly sizes: number;
}

export const FULL: Pace = { rounds: 5, calls: 25, forMs: 3_000, cached: 400, sizes: 3 };
/** The pace for what differs by some per cent, while single rounds differ by ten. */
export const PRECISE: Pace = { ...FULL, rounds: 25 };
/** The pace for development. Its results are rough. */
export const QUICK: Pace = { rounds: 2, calls: 10, forMs: 2_000, cached: 100, sizes: 2 };
