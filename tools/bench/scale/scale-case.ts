import type { Figure } from '../case.js';
import type { Pace } from '../pace.js';
import type { ReeveSide } from '../reeve-side.js';

/** A case that measures what one costs among few, and among many. */
export interface ScaleCase {
  /** The name for `--only`. */
  readonly name: string;
  /** The figures: what one costs. */
  readonly figures: readonly Pick<Figure, 'name' | 'title' | 'unit'>[];
  /** The sizes in ascending order. */
  readonly sizes: readonly number[];
  /** Measures what one costs among `size`, by the figure's name. */
  measure(side: ReeveSide, size: number, pace: Pace): Promise<Readonly<Record<string, number>>>;
}
