import { Option, type Command } from 'commander';
import { readList, type ListedRow } from '../../api/list.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { paintPhase, phaseWords } from '../../deployment-words.js';
import { dim } from '../../list/columns.js';
import { equal, sinceCondition } from '../../list/condition.js';
import { withListOptions, type ListOptions } from '../../list/options.js';
import { printPage } from '../../list/print.js';
import type { TableColumn } from '../../list/table.js';
import { formatDuration, formatTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

interface DeploymentsOptions extends ListOptions {
  readonly component?: string;
  readonly running?: boolean;
  readonly end?: string;
  readonly since?: string;
}

/** `reeve deployments` W1 */
export function defineDeploymentsList(deployments: Command): void {
  const command = deployments
    .command('list', { isDefault: true })
    .description('list deployments from the store, the latest first, including ended ones')
    .option('--component <component>', 'only deployments of that component')
    .option('--running', 'only those that have not ended')
    .addOption(new Option('--end <type>', 'only those with that end type: normal, abnormal, ...').conflicts('running'))
    .option('--since <time>', 'only those started since then: 30m, 2h, 7d, or a time');
  withListOptions(command, { dimensions: false })
    .addHelpText(
      'after',
      examples(
        ['reeve deployments', 'all of them'],
        ['reeve deployments --running --component Application', 'the running ones of one component'],
        ['reeve deployments list --end abnormal --since 1d', 'failures of the last day'],
      ),
    )
    .action(run(list));
}

async function list(options: DeploymentsOptions): Promise<number> {
  const now = Date.now();
  const page = await withApi('store', (api) =>
    readList<ListedRow<'deployments'>>(api, '/api/deployments', {
      view: 'deployments',
      ...options,
      order: options.sort ?? 'start_time desc',
      conditions: [
        ...equal('component', options.component),
        ...(options.running ? ['end_type eq null'] : []),
        ...equal('end_type', options.end),
        ...sinceCondition('start_time', options.since, now),
      ],
    }),
  );
  const none = 'There are no such deployments.';
  return printPage(page, columns({ now, utc: options.utc === true }), { ...options, none });
}

function columns(clock: Clock): readonly TableColumn<ListedRow<'deployments'>>[] {
  return [
    { title: 'DEPLOYMENT', text: ({ name }) => name },
    { title: 'COMPONENT', text: ({ component }) => component },
    {
      title: 'PHASE',
      text: (row) => phaseWords(row.phase, endOf(row)),
      paint: (text, row) => paintPhase(text, row.phase, endOf(row)),
    },
    { title: 'SINCE', text: (row) => formatTime(row.phase_time ?? null, clock), paint: dim },
    { title: 'RUNS', text: (row) => formatDuration(row.start_time, row.end_time, clock), align: 'right' },
    { title: 'TENANT', text: ({ tenant }) => tenant ?? '', optional: true },
    { title: 'BY', text: ({ subject }) => subject ?? '', paint: dim, optional: true, expendable: true },
  ];
}

/** While the store is unavailable, only what runs is listed. */
function endOf(row: ListedRow<'deployments'>) {
  const { end_type: type, end_description: description, end_component: component, undeployed } = row;
  if (type === null) return null;
  return { type, description: description ?? '', component: component ?? '', ...(undeployed && { undeployed }) };
}
