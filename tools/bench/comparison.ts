import type { Budget, Case, Figure, Values } from './case.js';
import type { SideName } from './side-name.js';
import { spread, type Spread } from './statistics.js';

/** One figure of a case, on both sides. */
export interface Row {
  readonly case: string;
  readonly figure: string;
  readonly title: string;
  readonly unit: Figure['unit'];
  readonly raw?: Spread;
  readonly reeve?: Spread;
  /** Reeve's value divided by that of raw Temporal, round by round. */
  readonly ratio?: Spread;
  readonly budget?: Budget;
  /** Tells whether the budget is met; nothing without one. */
  readonly met?: boolean;
}

/** The values of the rounds, in their order. */
export type Rounds = Readonly<Record<SideName, readonly Values[]>>;

/** The cost that encryption may have: at most 5 % fewer events a second. Q5 */
export const ENCRYPTION_BUDGET: Budget = { of: 'ratio', atLeast: 0.95 };

export function compare({ name, figures }: Pick<Case, 'name' | 'figures'>, rounds: Rounds): readonly Row[] {
  return figures.map((figure) => {
    const [raw, reeve] = [valuesOf(rounds.raw, figure), valuesOf(rounds.reeve, figure)];
    // Rounds that follow each other meet the same load of the machine, so each is divided by its neighbour.
    const ratios = rounds.reeve
      .map((values, round) => (values[figure.name] ?? NaN) / (rounds.raw[round]?.[figure.name] ?? NaN))
      .filter(Number.isFinite);
    const ratio = ratios.length > 0 ? spread(ratios) : undefined;
    const { budget } = figure;
    const judged = budget?.of === 'ratio' ? ratio : reeve.length > 0 ? spread(reeve) : undefined;
    return {
      case: name,
      figure: figure.name,
      title: figure.title,
      unit: figure.unit,
      ...(raw.length > 0 && { raw: spread(raw) }),
      ...(reeve.length > 0 && { reeve: spread(reeve) }),
      ...(ratio && { ratio }),
      ...(budget && { budget }),
      ...(budget && judged && { met: isMet(budget, judged.median) }),
    };
  });
}

/** The values of a figure, without those of rounds in which nothing was done in time. */
function valuesOf(values: readonly Values[], { name }: Figure): readonly number[] {
  return values.map((round) => round[name] ?? NaN).filter(Number.isFinite);
}

function isMet({ atMost = Infinity, atLeast = -Infinity }: Budget, value: number): boolean {
  return value <= atMost && value >= atLeast;
}
