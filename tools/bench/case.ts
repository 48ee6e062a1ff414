import type { Pace } from './pace.js';
import type { Rig } from './rig.js';
import type { Side } from './side.js';

/** The target that Reeve has to reach: in its own value, or in its value divided by that of raw Temporal. */
export interface Budget {
  readonly of: 'reeve' | 'ratio';
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One number that a case gives: a row of the table. */
export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ms' | '/s' | 'KB' | 'MB' | 'events' | 'units';
  readonly budget?: Budget;
}

/** The values of a round, by the figure's name. A figure that is left out does not exist on that side. */
export type Values = Readonly<Record<string, number>>;

/** A case that is measured, round by round on both sides in turn. To add one, write a file and name it in `cases/index.ts`. */
export interface Case {
  /** The name for `--only`. */
  readonly name: string;
  readonly figures: readonly Figure[];
  /** The most rounds, for a case that takes long. By default, the pace says how many. */
  readonly rounds?: number;
  /** Rounds that do not count, so that V8 has compiled the code by then. Default 1. */
  readonly warmUps?: number;
  /** Runs once for each side, before its first round. Each round gets the keys that it gives. */
  prepare?(side: Side, pace: Pace): Promise<readonly string[]>;
  round(context: RoundContext): Promise<Values>;
}

export interface RoundContext {
  readonly side: Side;
  readonly pace: Pace;
  readonly rig: Rig;
  /** The keys that `prepare` gave. */
  readonly keys: readonly string[];
  /** The number of the round, from 0. Negative rounds are for warming up, and do not count. */
  readonly round: number;
}
