import type { Figure } from '../case.js';
import type { Pace } from '../pace.js';
import type { ReeveSide } from '../reeve-side.js';

/** What is measured for one of few and for one of many. */
export interface ScaleCase {
  /** As `--only` names it. */
  readonly name: string;
  /** Each in ascending order of sizes: what one costs. */
  readonly figures: readonly Pick<Figure, 'name' | 'title' | 'unit'>[];
  readonly sizes: readonly number[];
  /** What one of so many costs, by the figure's name. */
  measure(side: ReeveSide, size: number, pace: Pace): Promise<Readonly<Record<string, number>>>;
}
