import type { Command } from 'commander';
import { colours } from '../../colours.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { paintOutcome } from '../../list/columns.js';
import { readErrorDetails } from '../../list/error-details.js';
import { eventColumns } from '../../list/event-columns.js';
import { readPage, type ListedPage, type ListedRow } from '../../list/page.js';
import { formatTable, oneLine } from '../../list/table.js';
import { formatDuration, formatFullTime, type Clock } from '../../list/time.js';
import { equal } from '../../list/condition.js';
import { findOperation } from '../../operation-id.js';
import { run } from '../../run.js';
import { withStore } from '../../store-session.js';

interface ShowOptions {
  readonly utc?: boolean;
  readonly json?: boolean;
}

interface Shown {
  readonly operation: ListedRow<'operations'>;
  readonly events: ListedPage<'state_machine_events'>;
  readonly errors: ReadonlyMap<number, string>;
}

/** An operation is shown with so many of its events; `reeve events` has all. */
const EVENTS = 100;

/** `reeve operations show 1807381927000123` S5.1 */
export function defineOperationsShow(operations: Command): void {
  operations
    .command('show')
    .description('show an operation with its events and errors')
    .argument('<operation>', 'its operation id or request id')
    .option('--utc', 'times in UTC')
    .option('--json', 'all columns, as JSON')
    .addHelpText('after', examples(['reeve operations show 1807381927000123', `as 'reeve operations list' shows it`]))
    .action(run(show));
}

async function show(id: string, options: ShowOptions): Promise<number> {
  const shown = await withStore(async (store): Promise<Shown> => {
    const operation = await findOperation(store, id);
    const conditions = equal('request_id', operation.request_id);
    const events = await readPage(store, 'state_machine_events', { conditions, order: 'event_id', top: EVENTS });
    const errors = await readErrorDetails(store, [operation.error_id, ...events.rows.map(({ error }) => error)]);
    return { operation, events, errors };
  });
  if (options.json) {
    const { operation, events, errors } = shown;
    const all = [...errors].map(([error_id, error_details]) => ({ error_id, error_details }));
    printJson({ ...operation, events: events.rows, errors: all });
  } else console.log(format(shown, { now: Date.now(), utc: options.utc === true }));
  return EXIT.done;
}

function format({ operation, events, errors }: Shown, clock: Clock): string {
  const error = operation.error_id === null ? undefined : errors.get(operation.error_id);
  const { workflow_start_time: start, workflow_end_time: end, restart_count: restarts } = operation;
  const rows: readonly (readonly [string, string])[] = [
    ['operation id', String(operation.operation_id)],
    ['request id', oneLine(operation.request_id)],
    ['started', formatFullTime(start, clock)],
    ...(end === null ? [] : [['ended', formatFullTime(end, clock)] as const]),
    [end === null ? 'runs for' : 'took', formatDuration(start, end, clock)],
    ...(restarts > 0 ? [['restarts', String(restarts)] as const] : []),
    ...(error === undefined ? [] : [['error', colours.red(oneLine(error))] as const]),
  ];
  return [
    `${colours.bold(oneLine(operation.name))}  ${paintOutcome(operation.outcome ?? 'running')}`,
    '',
    ...rows.map(([name, value]) => `  ${colours.dim(name.padEnd(14))} ${value}`),
    '',
    formatTable(eventColumns(clock, errors), events.rows, process.stdout.columns),
    ...(events.next === undefined ? [] : [`The first ${EVENTS} events; 'reeve events' lists them all.`]),
  ].join('\n');
}
