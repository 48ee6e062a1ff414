/** How much is measured. */
export interface Pace {
  readonly rounds: number;
  /** One after the other, in a round. */
  readonly calls: number;
  /** How long many callers call, in a round. */
  readonly forMs: number;
  /** Entities that rest in the cache of a worker. */
  readonly cached: number;
  /** What is multiplied in `--scale`: how many of its sizes are measured. */
  readonly sizes: number;
}

export const FULL: Pace = { rounds: 5, calls: 25, forMs: 3_000, cached: 400, sizes: 3 };
/** For development: what it gives is rough. */
export const QUICK: Pace = { rounds: 2, calls: 10, forMs: 2_000, cached: 100, sizes: 2 };
