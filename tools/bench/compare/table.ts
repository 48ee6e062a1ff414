import { formatNumber, formatTable } from '../table.js';
import type { Difference } from './compare-builds.js';

export function formatDifferences(differences: readonly Difference[], then: string, now: string): string {
  return formatTable([
    ['what', 'unit', then, now, 'now / then, median (90 %)', ''],
    ...differences.map(({ title, unit, then, now, ratio, worse }) => [
      title,
      unit,
      formatNumber(then),
      formatNumber(now),
      `${formatNumber(ratio.median)} (${formatNumber(ratio.low)} to ${formatNumber(ratio.high)})`,
      worse ? 'WORSE' : '',
    ]),
  ]);
}
