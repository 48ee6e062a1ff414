import type { Pace } from './pace.js';
import type { Rig } from './rig.js';
import type { Side } from './side.js';

/** What Reeve is to reach: of what it measures itself, or of that divided by what raw Temporal does. */
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

/** What a round gave, by the figure's name. A figure that is left out does not exist on that side. */
export type Values = Readonly<Record<string, number>>;

/** What is measured, round by round on both sides in turn. To add one, write a file and name it in `cases/index.ts`. */
export interface Case {
  /** As `--only` names it. */
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Fewer than the pace says, for what takes long. */
  readonly rounds?: number;
  /** Rounds that count for nothing, so that V8 has compiled what counts. 1 unless given. */
  readonly warmUps?: number;
  /** Once for each side, before its first round. What it gives, each round gets. */
  prepare?(side: Side, pace: Pace): Promise<readonly string[]>;
  round(context: RoundContext): Promise<Values>;
}

export interface RoundContext {
  readonly side: Side;
  readonly pace: Pace;
  readonly rig: Rig;
  /** The keys that `prepare` gave. */
  readonly keys: readonly string[];
  /** From 0; those before are for warming up, and count for nothing. */
  readonly round: number;
}
