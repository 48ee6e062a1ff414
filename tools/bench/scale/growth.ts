import type { ScaleCase } from './scale-case.js';

/** The cost of one among `size`. */
export interface Cost {
  readonly size: number;
  readonly value: number;
}

/** One figure of a case at all sizes. */
export interface Growth {
  readonly case: string;
  readonly title: string;
  readonly unit: string;
  readonly costs: readonly Cost[];
  /** The factor by which the cost of one grows at most, from any size to a larger one. */
  readonly growth: number;
  /** Tells whether it grows by no more than a fifth. */
  readonly flat: boolean;
}

const FLAT = 1.2;

export function growthsOf(
  { name, figures }: Pick<ScaleCase, 'name' | 'figures'>,
  measured: readonly { readonly size: number; readonly values: Readonly<Record<string, number>> }[],
): readonly Growth[] {
  return figures.map((figure) => {
    const costs = measured.map(({ size, values }) => ({ size, value: values[figure.name] ?? NaN }));
    const growth = growthOf(costs);
    return { case: name, title: figure.title, unit: figure.unit, costs, growth, flat: growth <= FLAT };
  });
}

function growthOf(costs: readonly Cost[]): number {
  let least = Infinity;
  let growth = 1;
  // From the first unknown cost on, both are NaN.
  for (const { value } of costs) {
    growth = Math.max(growth, value / least);
    least = Math.min(least, value);
  }
  return growth;
}
