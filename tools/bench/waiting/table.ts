import { formatNumber, formatSpread, formatTable } from '../table.js';
import type { Rates } from './rates.js';
import type { Cost, Waiting } from './trial.js';

const MB = 1024 * 1024;
const ROWS: readonly (readonly [title: string, unit: string, of: (cost: Cost) => number])[] = [
  ['memory of the worker', 'MB', ({ workerBytes }) => workerBytes / MB],
  ['memory of the Temporal service', 'MB', ({ serviceBytes }) => serviceBytes / MB],
  ['CPU of the worker', 'ms/s', ({ workerCpu }) => workerCpu],
  ['CPU of the Temporal service', 'ms/s', ({ serviceCpu }) => serviceCpu],
  ['calls under way', '', ({ calls }) => calls],
  ['workflow tasks under way', '', ({ tasks }) => tasks],
  ['threads of the worker', '', ({ threads }) => threads],
  ['sockets of the worker', '', ({ sockets }) => sockets],
];

/** A table with a column for each kind. */
export function formatWaiting(all: readonly Waiting[]): string {
  const lines = (['cached', 'evicted'] as const).flatMap((where) =>
    ROWS.map(([title, unit, of]) => [
      `${title}, ${where === 'cached' ? 'all in memory' : 'none in memory'}`,
      unit,
      ...all.map((each) => formatNumber(of(each[where]))),
    ]),
  );
  return formatTable([['what', 'unit', ...all.map(({ kind }) => kind)], ...lines]);
}

/** A table with a line for those in memory, and one for those that are not. */
export function formatRates(all: readonly Rates[]): string {
  return formatTable([
    ['answers', 'events/s', 'answers/s', 'answers / events'],
    ...all.map(({ cached, events, answers, ratio }) => [
      `waiting in a state, ${cached ? 'all' : 'none'} in memory`,
      ...[events, answers, ratio].map(formatSpread),
    ]),
  ]);
}
