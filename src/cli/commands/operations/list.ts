import { Option, type Command } from 'commander';
import type { Api } from '../../api/api.js';
import { readList, type ListedRow } from '../../api/list.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { paintOperation } from '../../distributed-words.js';
import { operationState, type OperationStanding } from '../../explanation/distributed-state.js';
import { dim } from '../../list/columns.js';
import { isRefusedCancel, quoted } from '../../../protocol/odata-text.js';
import { dimensionConditions, equal, sinceCondition } from '../../list/condition.js';
import { withListOptions, type ListOptions } from '../../list/options.js';
import { printPage } from '../../list/print.js';
import { keepEnd, keepKey, type TableColumn } from '../../list/table.js';
import type { WithCancelCaller } from '../../list/event-columns.js';
import { formatDuration, formatTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

const OUTCOMES = ['success', 'failed', 'canceled', 'hung', 'running'];

interface OperationsOptions extends ListOptions {
  readonly outcome?: string;
  readonly name?: string;
  readonly since?: string;
}

const MOST_REFUSALS = 1_000;

type ListedOperation = WithCancelCaller &
  OperationStanding &
  Omit<ListedRow<'operations'>, 'operation_id' | 'restart_count'> &
  Partial<Pick<ListedRow<'operations'>, 'operation_id' | 'restart_count'>>;

/** `reeve operations list` S5.1 */
export function defineOperationsList(operations: Command): void {
  const command = operations
    .command('list')
    .description('list operations, the latest first')
    .addOption(new Option('--outcome <outcome>', 'only those with that outcome').choices(OUTCOMES))
    .option('--name <text>', 'only those with this in their name')
    .option('--since <time>', 'only those started since then: 30m, 2h, 7d, or a time');
  withListOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve operations list --outcome failed --since 1d', 'failures of the last day'],
        ['reeve operations list --name LogicalServer/orders', 'the operations of one entity'],
        [`reeve operations list --where "restart_count gt 0"`, 'filtered by any column'],
      ),
    )
    .action(run(list));
}

async function list(options: OperationsOptions): Promise<number> {
  const now = Date.now();
  const { page, refused } = await withApi('store', async (api) => {
    const found = await readList<ListedOperation>(api, '/api/operations', {
      view: 'operations',
      ...options,
      order: options.sort ?? 'operation_id desc',
      conditions: [
        ...(options.outcome === 'running' ? ['outcome eq null'] : equal('outcome', options.outcome)),
        ...(options.name === undefined ? [] : [`contains(name,${quoted(options.name)})`]),
        ...sinceCondition('workflow_start_time', options.since, now),
        ...dimensionConditions(options.dimension, api.dimensions),
      ],
    });
    return { page: found, refused: options.json ? new Set<string>() : await refusedIn(api, found.rows) };
  });
  return printPage(page, columns({ now, utc: options.utc === true }, refused), {
    ...options,
    none: 'There are no such operations.',
  });
}

/** The operations among these of which an entity has refused to cancel: those that run, and those that somebody has asked to. S4.7 */
async function refusedIn(api: Api, rows: readonly ListedOperation[]): Promise<ReadonlySet<string>> {
  const asked = rows.filter(
    ({ workflow_end_time: end, outcome, '@reeve.cancel_caller': caller }) =>
      end === null || (caller !== undefined && outcome !== 'canceled'),
  );
  if (asked.length === 0) return new Set();
  const found = await readList<ListedRow<'state_machine_events'>>(api, '/api/events', {
    ...{ view: 'state_machine_events', order: 'event_id', top: MOST_REFUSALS },
    conditions: [isRefusedCancel(asked.map(({ request_id: id }) => id))],
  });
  return new Set(found.rows.map(({ request_id: id }) => id));
}

function columns(clock: Clock, refused: ReadonlySet<string>): readonly TableColumn<ListedOperation>[] {
  return [
    { title: 'OPERATION', text: ({ request_id: id }) => id, cut: keepEnd },
    { title: 'NAME', text: ({ name }) => name, cut: keepKey },
    { title: 'OUTCOME', text: operationState, paint: paintOperation },
    { title: 'STARTED', text: (row) => formatTime(row.workflow_start_time, clock), paint: dim },
    {
      title: 'TOOK',
      text: (row) => formatDuration(row.workflow_start_time, row.workflow_end_time, clock),
      align: 'right',
    },
    {
      title: 'CANCEL',
      text: ({ request_id: id, '@reeve.cancel_caller': caller }) =>
        [refused.has(id) && 'refused', caller !== undefined && `by ${caller}`].filter(Boolean).join(', '),
      optional: true,
    },
    { title: 'RESTARTS', text: ({ restart_count: count = 0 }) => (count > 0 ? String(count) : ''), optional: true },
  ];
}
