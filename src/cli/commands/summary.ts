import { Argument, Option, type Command } from 'commander';
import type { Api } from '../api/api.js';
import { readList, type ListedPage, type ListedRow } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { quoted } from '../../protocol/odata-text.js';
import { sinceDay } from '../list/condition.js';
import { printPage } from '../list/print.js';
import { wholeNumber } from '../list/options.js';
import { CAUSE_COLUMNS, ROLLUP_COLUMNS } from '../list/summary-columns.js';
import { run } from '../run.js';
import { UsageError } from '../usage-error.js';

const LEVELS = { operations: 'operation', events: 'event', transitions: 'transition' } as const;

interface SummaryOptions {
  readonly since: string;
  readonly name?: string;
  readonly by?: string;
  readonly top: number;
  readonly skipToken?: string;
  readonly json?: boolean;
}

type Rollup = ListedRow<'operation_rollup'>;
type Cause = ListedRow<'operation_causes'>;

/** `reeve summary` S5.5 */
export function defineSummary(program: Command): void {
  program
    .command('summary')
    .description('show counts and durations by day and name, with the most frequent causes of failures')
    .addArgument(new Argument('[level]', 'the level to count').choices(Object.keys(LEVELS)).default('operations'))
    .option(
      '--since <time>',
      'the first day to count (UTC): a date, or an age like 7d or 12h, rounded down to the start of its day',
      '7d',
    )
    .option('--name <text>', 'only those with this in their name')
    .option('--by <dimension>', 'group also by that dimension: region, or region=eu for one value')
    .addOption(new Option('--top <rows>', 'the maximum number of rows').argParser(wholeNumber).default(50))
    .option('--skip-token <token>', 'show the next page; its token is printed with the page before it')
    .option('--json', 'all columns, as JSON: { "items": [...], "causes": [...] }')
    .addHelpText(
      'after',
      examples(
        ['reeve summary', 'the operations of the last 7 days'],
        ['reeve summary transitions --name SqlApplication --since 1d', 'the durations of the actions of a type'],
        ['reeve summary --by logical_server_id=orders', 'of one server'],
      ),
    )
    .action(run(summary));
}

async function summary(level: keyof typeof LEVELS, options: SummaryOptions): Promise<number> {
  const [items, causes] = await withApi('store', (api) => readSummary(api, LEVELS[level], options));
  if (options.json) {
    printJson({ items: items.rows, causes: causes.rows, ...(items.next !== undefined && { next: items.next }) });
    return EXIT.done;
  }
  printPage(items, ROLLUP_COLUMNS, { none: `There were no ${level} since then.` });
  if (causes.rows.length > 0) {
    console.log(`\n${colours.bold('Why they failed')}`);
    printPage({ rows: causes.rows }, CAUSE_COLUMNS, { none: '' });
  }
  return EXIT.done;
}

async function readSummary(
  api: Api,
  level: (typeof LEVELS)[keyof typeof LEVELS],
  { since, name, by, top, skipToken }: SummaryOptions,
): Promise<readonly [ListedPage<Rollup>, ListedPage<Cause>]> {
  const conditions = [
    ...sinceDay('day', since, Date.now()),
    ...(name === undefined ? [] : [`contains(name,${quoted(name)})`]),
    ...ofDimension(by, api.dimensions),
  ];
  const query = { conditions, top, ...(skipToken !== undefined && { skipToken }) };
  const order = 'day desc,name,dimension_value';
  const items = await readList<Rollup>(api, `/api/${level}_rollup`, {
    ...{ ...query, order },
    view: `${level}_rollup`,
  });
  const causes = await readList<Cause>(api, `/api/${level}_causes`, {
    ...{ conditions, top, order: 'day desc,name,place' },
    view: `${level}_causes`,
  });
  return [items, causes];
}

/** Each row counts once without a dimension, and once for each of its dimensions. */
function ofDimension(by: string | undefined, declared: readonly string[] | undefined): readonly string[] {
  if (by === undefined) return ['dimension eq null'];
  const [name = '', ...value] = by.split('=');
  if (declared && !declared.includes(name)) {
    const known = declared.length > 0 ? `The dimensions are: ${declared.join(', ')}.` : 'The project declares none.';
    throw new UsageError(`There is no dimension '${name}'. ${known}`);
  }
  const only = value.length > 0 ? [`dimension_value eq ${quoted(value.join('='))}`] : [];
  return [`dimension eq ${quoted(name)}`, ...only];
}
