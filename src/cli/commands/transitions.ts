import { InvalidArgumentError, type Command } from 'commander';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim, paintOutcome, paintState } from '../list/columns.js';
import { readErrorDetails } from '../list/error-details.js';
import { readEventEntities } from '../list/event-entities.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { readPage, type ListedRow } from '../list/page.js';
import { printPage } from '../list/print.js';
import type { TableColumn } from '../list/table.js';
import { formatDuration, formatTime, type Clock } from '../list/time.js';
import { findOperation } from '../operation-id.js';
import { run } from '../run.js';
import { withStore } from '../store-session.js';

/** `reeve transitions 1807381927000123` S5.1 */
export function defineTransitions(program: Command): void {
  const command = program
    .command('transitions')
    .description('list the transitions of an operation, or of one of its events')
    .argument('<operation>', 'its operation id or request id')
    .argument('[event-id]', `as 'reeve events' shows it`, eventId);
  withListOptions(command, { dimensions: false })
    .addHelpText('after', examples(['reeve transitions 1807381927000123', 'every move of every entity in it']))
    .action(run(transitions));
}

async function transitions(operation: string, event: number | undefined, options: ListOptions): Promise<number> {
  const { page, names } = await withStore(async (store) => {
    const { operation_id: id } = await findOperation(store, operation);
    const found = await readPage(store, 'state_machine_transitions', {
      ...options,
      order: options.orderBy ?? 'event_id,transition_ordinal',
      conditions: [`operation_id eq ${id}`, ...(event === undefined ? [] : [`event_id eq ${event}`])],
    });
    const rows = options.json ? [] : found.rows;
    const entities = await readEventEntities(
      store,
      rows.map((row) => row.event_id),
    );
    const errors = await readErrorDetails(
      store,
      rows.map((row) => row.error_id),
    );
    return { page: found, names: { entities, errors } };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  return printPage(page, columns(clock, names), { ...options, none: 'There are no such transitions.' });
}

/** What the ids in a transition stand for. */
interface Names {
  readonly entities: ReadonlyMap<number, string>;
  readonly errors: ReadonlyMap<number, string>;
}

function columns(
  clock: Clock,
  { entities, errors }: Names,
): readonly TableColumn<ListedRow<'state_machine_transitions'>>[] {
  return [
    { title: 'EVENT ID', text: ({ event_id: id }) => String(id ?? ''), paint: dim, expendable: true },
    { title: 'ENTITY', text: ({ event_id: id }) => (id === null ? '' : (entities.get(id) ?? '')) },
    { title: '#', text: (row) => String(row.transition_ordinal), align: 'right' },
    { title: 'TYPE', text: (row) => row.transition_type, paint: dim, expendable: true },
    { title: 'ACTION', text: (row) => row.action_name ?? '' },
    {
      title: 'STATES',
      text: ({ start_state: from, end_state: to }) => `${from} → ${to}`,
      paint: (text, { end_state_health: health }) => paintState(text, health === 'error'),
    },
    { title: 'AT', text: (row) => formatTime(row.transition_time, clock), paint: dim },
    {
      title: 'TOOK',
      text: (row) => formatDuration(row.transition_start_time, row.transition_time, clock),
      align: 'right',
    },
    { title: 'RETRIES', text: (row) => (row.retry_count > 0 ? String(row.retry_count) : ''), optional: true },
    { title: 'OUTCOME', text: ({ outcome }) => outcome, paint: paintOutcome },
    {
      title: 'ERROR',
      text: (row) => (row.error_id === null ? '' : (errors.get(row.error_id) ?? '')),
      paint: (text) => colours.red(text),
      optional: true,
    },
  ];
}

function eventId(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id >= 0) return id;
  throw new InvalidArgumentError(`Give an event id, as 'reeve events' shows it.`);
}
