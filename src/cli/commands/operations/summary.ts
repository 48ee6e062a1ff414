import type { Command } from 'commander';
import type { OperationSummary } from '../../../service/summary/summary-schema.js';
import type { Api } from '../../api/api.js';
import { filterOf, inOptions } from '../../api/list.js';
import { withApi } from '../../api/with-api.js';
import { colours, errorColours } from '../../colours.js';
import { examples } from '../../examples.js';
import { foldParagraph } from '../../fold.js';
import { helpWidth } from '../../help-width.js';
import { EXIT } from '../../exit.js';
import { tableWidth } from '../../format.js';
import { printJson } from '../../json.js';
import { quoted } from '../../../protocol/odata-text.js';
import { dimensionConditions, timeOf } from '../../list/condition.js';
import { summaryTable, summaryWords } from '../../list/operation-summary.js';
import { withListOptions, type ListOptions } from '../../list/options.js';
import { formatFullTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

interface SummaryOptions extends Omit<ListOptions, 'sort' | 'skipToken'> {
  readonly since: string;
  readonly until?: string;
  readonly by: string;
  readonly name?: string;
}

const NOTE =
  "While the store is unavailable, this command counts the operations that are running now, as Temporal reports them. 'reeve summary' counts by the day on which " +
  'operations began, and shows why they failed.';

/** `reeve operations summary` A4 */
export function defineOperationsSummary(operations: Command): void {
  const command = operations
    .command('summary')
    .description(
      'show counts and durations of the operations that ended in a period, or were still running at the end of the period',
    )
    .option('--since <time>', 'the start of the period: 30m, 24h, 7d, or a time', '24h')
    .option('--until <time>', 'the end of the period (default: now)')
    .option('--by <groups>', 'group by "name", by a dimension like "region", or by both: "name,region"', 'name')
    .option('--name <text>', 'only those with this in their name');
  withListOptions(command, { pages: false })
    .addHelpText('after', () => `\n${foldParagraph(NOTE, helpWidth()).join('\n')}`)
    .addHelpText(
      'after',
      examples(
        ['reeve operations summary', 'of the last 24 hours, by name'],
        ['reeve operations summary --since 8d --until 1d --by region', 'of a past week, by a dimension'],
        ['reeve operations summary --name LogicalServer/orders --by ""', 'of one entity, in one line'],
      ),
    )
    .action(run(summary));
}

async function summary(options: SummaryOptions): Promise<number> {
  const clock = { now: Date.now(), utc: options.utc === true };
  const told = await withApi('store first', (api) => readSummary(api, options, clock.now));
  if (options.json) {
    printJson(told);
    return EXIT.done;
  }
  print(told, options.until !== undefined, clock);
  return EXIT.done;
}

/** For people. Other texts than the summary go to standard error. */
function print(told: OperationSummary, ends: boolean, clock: Clock): void {
  const { all, more, partial, from, until } = told;
  const isLive = told['@reeve.source'] !== undefined;
  if (isLive) {
    console.error(
      errorColours.yellow('The store is unavailable. These are the operations that run now, from Temporal.'),
    );
  }
  if ((all.total ?? all.running) === 0) {
    console.error(isLive ? 'No operation runs.' : 'There were no such operations then.');
    return;
  }
  const period = `from ${toTheMinute(from, clock)} until ${ends ? toTheMinute(until, clock) : 'now'}`;
  console.log(colours.bold(isLive ? 'Operations that run now' : `Operations ${period}`));
  console.log(`${summaryWords(told).join('\n')}\n`);
  console.log(summaryTable(told, tableWidth()));
  if (more) console.error(errorColours.dim('There are more groups. Ask for them with a larger --top.'));
  if (partial) console.error(errorColours.dim('More run than were counted. Ask for fewer with --where.'));
}

function toTheMinute(time: string, clock: Clock): string {
  return `${formatFullTime(time, clock).slice(0, '2026-11-21 14:03'.length)}${clock.utc ? ' UTC' : ''}`;
}

async function readSummary(
  api: Api,
  { since, until, by, name, where, dimension, top }: SummaryOptions,
  now: number,
): Promise<OperationSummary> {
  const conditions = [
    ...(name === undefined ? [] : [`contains(name,${quoted(name)})`]),
    ...dimensionConditions(dimension, api.dimensions),
  ];
  const { filter, offset } = filterOf({ conditions, ...(where !== undefined && { where }) });
  const query = {
    from: timeOf('--since', since, now).toISOString(),
    ...(until !== undefined && { until: timeOf('--until', until, now).toISOString() }),
    ...{ by, $top: String(top) },
    ...(filter !== undefined && { $filter: filter }),
  };
  const { body } = await api.ask('GET', '/api/operations/summary', { query }).catch((thrown: unknown) => {
    throw inOptions(thrown, offset);
  });
  return body as OperationSummary;
}
