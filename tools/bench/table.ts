import type { Budget } from './case.js';
import type { Row } from './comparison.js';
import type { Growth } from './scale/growth.js';
import type { Spread } from './statistics.js';

/** The rows for people, each with its median and its lowest and highest round. */
export function formatRows(rows: readonly Row[], encrypted = false): string {
  const [other, own] = encrypted ? ['clear', 'encrypted'] : ['raw', 'Reeve'];
  return formatTable([
    ['what', 'unit', other, own, `${own} / ${other}`, 'budget', ''],
    ...rows.map(({ title, unit, raw, reeve, ratio, budget, met }) => [
      title,
      unit,
      formatSpread(raw),
      formatSpread(reeve),
      formatSpread(ratio),
      budget ? formatBudget(budget) : '',
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ]),
  ]);
}

/** A table of what one costs at each size, and whether that stays the same. */
export function formatGrowths(growths: readonly Growth[]): string {
  return formatTable([
    ['what', 'unit', 'of few', 'of more', 'of many', 'grows by', ''],
    ...growths.map(({ title, unit, costs, growth, flat }) => [
      title,
      unit,
      ...[0, 1, 2].map((at) =>
        costs[at] ? `${formatNumber(costs[at].value)} of ${formatNumber(costs[at].size)}` : '-',
      ),
      `${formatNumber(growth)} x`,
      flat ? 'flat' : 'GROWS',
    ]),
  ]);
}

/** A table with columns as wide as they have to be. All but the first are right-aligned. */
export function formatTable(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A number with at least three significant digits: 0.0123, 1.23, 12.3, 123, 12,345. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

export function formatSpread(spread: Spread | undefined): string {
  if (!spread) return '-';
  const [middle, low, high] = [spread.median, spread.low, spread.high].map(formatNumber);
  return low === high ? `${middle}` : `${middle} (${low} to ${high})`;
}

function formatBudget({ of, atMost, atLeast }: Budget): string {
  const [sign, bound] = atMost === undefined ? ['>=', atLeast ?? NaN] : ['<=', atMost];
  return `${sign} ${formatNumber(bound)}${of === 'ratio' ? ' x' : ''}`;
}
