import type { OperationCounts, OperationGroup, OperationSummary } from '../../service/summary/summary-schema.js';
import { colours } from '../colours.js';
import { counted } from '../counted.js';
import { formatTable, type TableColumn } from './table.js';
import { formatShortMilliseconds } from '../explanation/time-words.js';

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

/** The counts of all operations in words, a line for each matter. Those that are zero are left out. */
export function summaryWords({ all }: Pick<OperationSummary, 'all'>): readonly string[] {
  const { total, running, waiting, hung, succeeded, failed, canceled, rescheduled, attempts, resumptions } = all;
  const goOn = [some(running, running === 1 ? 'runs' : 'run'), some(waiting, waiting === 1 ? 'waits' : 'wait')];
  const ended = [some(succeeded, 'succeeded'), some(failed, 'failed'), some(canceled, 'canceled')];
  const counts = [`${listOf(goOn)}${hung ? ` (${hung} hung)` : ''}`, ...ended];
  const again = [
    attempts ? counted(attempts, 'further attempt') : '',
    resumptions ? counted(resumptions, 'resumption') : '',
  ];
  return [
    `${total === null ? '' : `${counted(total, 'operation')}: `}${listOf(counts)}.`,
    ...(rescheduled ? [`${rescheduled} rescheduled: ${listOf(again)}.`] : []),
  ];
}

function columns(by: readonly string[]): readonly TableColumn<Line>[] {
  const groups = by.map((name, index): TableColumn<Line> => ({
    title: name.toUpperCase(),
    text: ({ group }) => (group ? (group[name] ?? '–') : index === 0 ? 'all' : ''),
    paint: (text, { group }) => (group ? text : colours.bold(text)),
  }));
  return [
    ...groups,
    number('TOTAL', 'total', { optional: true, expendable: true }),
    number('RUNNING', 'running', { paint: colours.cyan }),
    number('WAITING', 'waiting', { optional: true, paint: colours.cyan }),
    number('HUNG', 'hung', { optional: true, expendable: true, paint: colours.yellow }),
    number('SUCCESS', 'succeeded', { optional: true, paint: colours.green }),
    number('FAILED', 'failed', { optional: true, paint: colours.red }),
    number('CANCELED', 'canceled', { optional: true, expendable: true, paint: colours.yellow }),
    time('MEAN', 'mean_ms'),
    time('P95', 'p95_ms'),
    number('RESCHEDULED', 'rescheduled', { optional: true, expendable: true }),
    number('ATTEMPTS', 'attempts', { optional: true, expendable: true }),
    number('RESUMPTIONS', 'resumptions', { optional: true, expendable: true }),
  ];
}

function number(
  title: string,
  count: Count,
  { paint = plain, ...more }: Pick<TableColumn<Line>, 'optional' | 'expendable'> & { paint?: (text: string) => string },
): TableColumn<Line> {
  return {
    ...{ title, align: 'right', ...more },
    text: ({ [count]: value }) => (value ? String(value) : ''),
    paint: (text, line) => emphasised(text, line, paint),
  };
}

function time(title: string, of: 'mean_ms' | 'p95_ms'): TableColumn<Line> {
  return {
    ...{ title, align: 'right', optional: true },
    text: ({ [of]: milliseconds }) => formatShortMilliseconds(milliseconds),
    paint: emphasised,
  };
}

/** The sum of all is bold. */
function emphasised(text: string, { group }: Line, paint = plain): string {
  if (text === '') return '';
  return group ? paint(text) : colours.bold(paint(text));
}

function plain(text: string): string {
  return text;
}

function some(count: number | null, does: string): string {
  return count ? `${count} ${does}` : '';
}

function listOf(texts: readonly string[]): string {
  return texts.filter((each) => each !== '').join(', ');
}
