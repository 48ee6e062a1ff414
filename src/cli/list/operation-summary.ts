import type { OperationCounts, OperationGroup, OperationSummary } from '../../service/summary/summary-schema.js';
import { colours } from '../colours.js';
import { counted } from '../counted.js';
import { formatTable, type TableColumn } from './table.js';
import { formatShortMilliseconds } from './time.js';

/** The sum of all has no group. */
type Line = Omit<OperationGroup, 'group'> & { readonly group?: OperationGroup['group'] };
type Count = Exclude<keyof OperationCounts, 'mean_ms' | 'p95_ms'>;

/** How the operations of a period are shown to people: a line for each group, and one for all. A4 */
export function summaryTable({ by, groups, all, more }: OperationSummary, width: number | undefined): string {
  // One group is all there is.
  const needsSum = groups.length !== 1 || more === true;
  const lines: readonly Line[] = needsSum ? [...groups, all] : groups;
  return formatTable(columns(by), lines, width);
}

/** What had to be done again; nothing where nothing had to. */
export function rescheduledWords({ rescheduled, attempts, resumptions }: OperationCounts): string | undefined {
  if (!rescheduled) return undefined;
  const again = [
    ...(attempts ? [counted(attempts, 'further attempt')] : []),
    ...(resumptions ? [counted(resumptions, 'resumption')] : []),
  ];
  return `Rescheduled: ${counted(rescheduled, 'operation')}, with ${again.join(' and ')}.`;
}

function columns(by: readonly string[]): readonly TableColumn<Line>[] {
  const groups = by.map((name, index): TableColumn<Line> => ({
    title: name.toUpperCase(),
    text: ({ group }) => (group ? (group[name] ?? '–') : index === 0 ? 'all' : ''),
    paint: (text, { group }) => (group ? text : colours.bold(text)),
  }));
  return [
    ...groups,
    number('TOTAL', 'total', { optional: true }),
    number('RUNNING', 'running', { paint: colours.cyan }),
    number('WAITING', 'waiting', { optional: true, paint: colours.cyan }),
    number('HUNG', 'hung', { optional: true, paint: colours.yellow }),
    number('SUCCESS', 'succeeded', { optional: true, paint: colours.green }),
    number('FAILED', 'failed', { optional: true, paint: colours.red }),
    number('CANCELED', 'canceled', { optional: true, paint: colours.yellow }),
    time('MEAN', 'mean_ms'),
    time('P95', 'p95_ms'),
    number('RESCHEDULED', 'rescheduled', { optional: true, expendable: true }),
    number('ATTEMPTS', 'attempts', { optional: true, expendable: true }),
    number('RESUMPTIONS', 'resumptions', { optional: true, expendable: true }),
  ];
}

/** Only what there is any of. */
function number(
  title: string,
  count: Count,
  { paint = plain, ...more }: Pick<TableColumn<Line>, 'optional' | 'expendable'> & { paint?: (text: string) => string },
): TableColumn<Line> {
  return {
    ...{ title, align: 'right', ...more },
    text: ({ [count]: value }) => (value ? String(value) : ''),
    paint: (text, { group }) => (group ? paint(text) : colours.bold(paint(text))),
  };
}

function time(title: string, of: 'mean_ms' | 'p95_ms'): TableColumn<Line> {
  return {
    ...{ title, align: 'right', optional: true },
    text: ({ [of]: milliseconds }) => formatShortMilliseconds(milliseconds),
    paint: (text, { group }) => (group ? text : colours.bold(text)),
  };
}

function plain(text: string): string {
  return text;
}
