import type { Command } from 'commander';
import type { EventValuesAnswer } from '../../../service/values/value-schema.js';
import type { Explanation, StuckOne } from '../../../client/explain/explanation.js';
import type { OperationWait } from '../../../operations/explain.js';
import type { Api } from '../../api/api.js';
import type { ListedRow } from '../../api/list.js';
import { explanationIfTold } from '../../api/explanation.js';
import { findOperation, pathOfOperation } from '../../api/operation.js';
import { withApi } from '../../api/with-api.js';
import { colours } from '../../colours.js';
import { cancelLines } from '../../explanation/operation-words.js';
import { stuckOnesLines } from '../../explanation/stuck-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printText } from '../../fold.js';
import { tableWidth } from '../../format.js';
import { printJson } from '../../json.js';
import { namesForPeople, type NamesForPeople } from '../../names-for-people.js';
import { paintOperation } from '../../distributed-words.js';
import { operationState, type OperationStanding } from '../../explanation/distributed-state.js';
import {
  errorText,
  eventColumns,
  wentWrong,
  type ListedEvent,
  type WithCancelCaller,
  type WithError,
} from '../../list/event-columns.js';
import { exceptionLines } from '../../list/exception-lines.js';
import { valuesLines } from '../../list/values-lines.js';
import { formatTable, oneLine } from '../../list/table.js';
import { formatDuration, formatFullTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

interface ShowOptions {
  readonly utc?: boolean;
  readonly json?: boolean;
  readonly values?: boolean;
}

/** An operation with the first of its events. */
type ShownOperation = ListedRow<'operations'> &
  WithError &
  WithCancelCaller &
  OperationStanding & {
    readonly events: readonly ListedEvent[];
    readonly '@reeve.execution'?: string;
    /** The address where the list of events goes on. */
    readonly 'events@odata.nextLink'?: string;
  };

/** `reeve operations show 883cc7632dd9` S5.1 */
export function defineOperationsShow(operations: Command): void {
  operations
    .command('show')
    .description('show an operation with its events and errors')
    .argument('<operation>', 'its id, or its short id')
    .option('--values', "with parameters, and inputs and outputs of calls, from Temporal's history")
    .option('--utc', 'times in UTC')
    .option('--json', 'all columns, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve operations show 883cc7632dd9', `by the id that 'reeve operations list' shows`],
        [
          'reeve operations show 883cc7632dd9 --values',
          'also the parameters of each event, and the input and output of its calls',
        ],
      ),
    )
    .action(run(show));
}

const EXPAND = 'workflow_error,events($orderby=event_id;$expand=workflow_error)';

async function show(id: string, options: ShowOptions): Promise<number> {
  const { shown, values, told, names } = await withApi('store first', async (api) => {
    const found = await findOperation<ShownOperation>(api, id, EXPAND);
    const values = options.values ? await valuesOf(api, found) : undefined;
    return { shown: found, values, told: await toldOf(api, found), names: await namesForPeople(api) };
  });
  const stuck = told?.stuck ?? [];
  const cancel = cancelIn(told);
  if (options.json) {
    printJson({
      ...forPrograms(shown),
      ...(values && { values }),
      ...(stuck.length > 0 && { stuck }),
      ...cancelForPrograms(cancel),
    });
  } else {
    const clock = { now: Date.now(), utc: options.utc === true };
    const asked = { isRefused: cancel.cancel === 'refused', lines: cancelLines(cancel, clock.now) };
    const text = format(shown, stuck, asked, names, clock);
    printText(values ? [text, ...valuesLines(values, clock)].join('\n') : text);
  }
  return EXIT.done;
}

/** The values of its events, one after the other: each is a history that the service reads. */
async function valuesOf(api: Api, { events }: ShownOperation): Promise<readonly EventValuesAnswer[]> {
  const values: EventValuesAnswer[] = [];
  for (const { event_id: id } of events) {
    values.push((await api.ask('GET', `/api/events/${id}/values`)).body as EventValuesAnswer);
  }
  return values;
}

/** Explains what it waits for, where it has not ended and its workflow can be asked. */
async function toldOf(
  api: Api,
  { request_id: id, workflow_end_time: end }: ShownOperation,
): Promise<Explanation | undefined> {
  return end === null ? explanationIfTold(api, pathOfOperation(id)) : undefined;
}

type Cancel = Pick<OperationWait, 'cancel' | 'refusals'>;

function cancelIn(told: Explanation | undefined): Cancel {
  return told?.operation?.kind === 'operation' ? told.operation : { cancel: 'none' };
}

/** How a request to cancel it stands, as the API names that. */
function cancelForPrograms({ cancel, refusals = [] }: Cancel): object {
  if (cancel === 'none') return {};
  return {
    cancel,
    cancel_refusals: refusals.map(({ at, ...refusal }) => ({ ...refusal, time: new Date(at).toISOString() })),
  };
}

/** The operation with each error once, since many events may have the same. */
function forPrograms(shown: ShownOperation): object {
  const { workflow_error: _, 'events@odata.nextLink': __, events, ...operation } = shown;
  const errors = [shown, ...events].flatMap(({ workflow_error: error }) => error ?? []);
  return {
    ...operation,
    events: events.map(({ workflow_error: ___, ...event }) => event),
    errors: [...new Map(errors.map((error) => [error.error_id, error])).values()],
  };
}

/** Each error that made an event go wrong once, with the entities that it has reached. */
function errorRows(operation: ShownOperation): readonly (readonly [string, string])[] {
  const told = new Map<string, readonly string[]>();
  for (const event of operation.events.filter(wentWrong)) {
    const text = errorText(event);
    const entity = `${event.state_machine_type}/${event.keys}`;
    if (text !== '') told.set(text, [...new Set([...(told.get(text) ?? []), entity])]);
  }
  // An operation can fail without an event that has.
  const own = errorText(operation);
  if (told.size === 0) return own === '' ? [] : [['error', colours.red(oneLine(own))]];
  return [...told].map(([text, entities]) => ['error', `${colours.red(oneLine(text))} (${entities.join(', ')})`]);
}

function format(
  operation: ShownOperation,
  stuck: readonly StuckOne[],
  { isRefused, lines }: { readonly isRefused: boolean; readonly lines: readonly string[] },
  names: NamesForPeople,
  clock: Clock,
): string {
  const exceptions = exceptionLines(operation.events);
  const {
    workflow_start_time: start,
    workflow_end_time: end,
    restart_count: restarts,
    '@reeve.execution': link,
    '@reeve.cancel_caller': canceler,
  } = operation;
  const rows: readonly (readonly [string, string])[] = [
    ['operation', oneLine(operation.request_id)],
    ...(link === undefined ? [] : [['in Temporal', link] as const]),
    ['started', formatFullTime(start, clock)],
    ...(end === null ? [] : [['ended', formatFullTime(end, clock)] as const]),
    [end === null ? 'runs for' : 'took', formatDuration(start, end, clock)],
    ...(restarts > 0 ? [['restarts', String(restarts)] as const] : []),
    ...(canceler === undefined ? [] : [['cancel', `${isRefused ? 'refused, ' : ''}requested by ${canceler}`] as const]),
    ...errorRows(operation),
  ];
  return [
    `${colours.bold(oneLine(operation.name))}  ${paintOperation(operationState(operation), operation)}`,
    ...stuckOnesLines(stuck, clock.now),
    ...lines,
    '',
    ...rows.map(([name, value]) => `  ${colours.dim(name.padEnd(14))} ${value}`),
    '',
    formatTable(eventColumns(clock, names), operation.events, tableWidth()),
    ...('events@odata.nextLink' in operation
      ? [`The first ${operation.events.length} events; 'reeve events' lists them all.`]
      : []),
    ...(exceptions.length === 0 ? [] : ['', colours.dim('exceptions'), ...exceptions]),
  ].join('\n');
}
