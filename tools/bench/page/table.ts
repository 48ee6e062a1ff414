import { formatNumber, formatTable } from '../table.js';

/** One number about the web page, with what it may be. */
export interface PageFigure {
  readonly title: string;
  readonly unit: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Tells whether the budget is met; nothing where there is none. */
  readonly met?: boolean;
}

/** A figure, judged by its budget. */
export function figure(
  title: string,
  unit: string,
  value: number,
  budget: { readonly atMost?: number; readonly atLeast?: number } = {},
): PageFigure {
  const { atMost = Infinity, atLeast = -Infinity } = budget;
  const judged = Object.keys(budget).length === 0 ? {} : { met: value <= atMost && value >= atLeast };
  return { title, unit, value, ...budget, ...judged };
}

/** The figures for people. */
export function formatPage(figures: readonly PageFigure[]): string {
  return formatTable([
    ['what', 'unit', 'measured', 'budget', ''],
    ...figures.map(({ title, unit, value, atMost, atLeast, met }) => [
      ...[title, unit, formatNumber(value)],
      atMost !== undefined ? `<= ${formatNumber(atMost)}` : atLeast !== undefined ? `>= ${formatNumber(atLeast)}` : '',
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ]),
  ]);
}
