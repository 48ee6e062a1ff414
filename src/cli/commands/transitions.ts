import { InvalidArgumentError, type Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { readList, type ListedRow } from '../api/list.js';
import { findOperation } from '../api/operation.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim, paintOutcome, paintState } from '../list/columns.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { errorText, type WithError } from '../list/event-columns.js';
import { printPage } from '../list/print.js';
import { keepKeyOfAny, keepWhole, type TableColumn } from '../list/table.js';
import { formatDuration, formatTime, type Clock } from '../list/time.js';
import { namesForPeople, type NamesForPeople } from '../names-for-people.js';
import { run } from '../run.js';

/** `reeve transitions 883cc7632dd9` S5.1 */
export function defineTransitions(program: Command): void {
  const command = program
    .command('transitions')
    .description('list the transitions of an operation, or of one of its events')
    .argument('<operation>', 'its id, or its short id')
    .argument('[event-id]', `as 'reeve events' shows it`, eventId);
  withListOptions(command, { dimensions: false })
    .addHelpText('after', examples(['reeve transitions 883cc7632dd9', 'all transitions of all its entities']))
    .action(run(transitions));
}

async function transitions(operation: string, event: number | undefined, options: ListOptions): Promise<number> {
  const { page, names } = await withApi('store', async (api) => {
    const { operation_id: id } = await findOperation(api, operation);
    const page = await readList<ListedTransition>(api, '/api/transitions', {
      view: 'state_machine_transitions',
      ...options,
      order: options.sort ?? 'event_id,transition_ordinal',
      conditions: [`operation_id eq ${id}`, ...(event === undefined ? [] : [`event_id eq ${event}`])],
      ...(!options.json && { expand: 'event,workflow_error' }),
    });
    return { page, names: await namesForPeople(api) };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  return printPage(page, columns(clock, names), { ...options, none: 'There are no such transitions.' });
}

/** A transition with what its ids stand for. */
type ListedTransition = ListedRow<'state_machine_transitions'> &
  WithError & { readonly event?: ListedRow<'state_machine_events'> | null };

function columns(clock: Clock, names: NamesForPeople): readonly TableColumn<ListedTransition>[] {
  return [
    { title: 'EVENT ID', text: ({ event_id: id }) => String(id ?? ''), paint: dim, expendable: true },
    {
      title: 'ENTITY',
      text: ({ event }) => (event ? entityId({ type: event.state_machine_type, key: event.keys }) : ''),
      cut: keepKeyOfAny,
    },
    { title: '#', text: (row) => String(row.transition_ordinal), align: 'right' },
    { title: 'TYPE', text: (row) => row.transition_type, paint: dim, expendable: true },
    { title: 'ACTION', text: (row) => row.action_name ?? '', cut: keepWhole },
    {
      title: 'STATES',
      text: ({ event, start_state: from, end_state: to }) =>
        [from, to].map((state) => names.state(event?.state_machine_type ?? '', state)).join(' → '),
      cut: keepWhole,
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
      text: (row) => errorText(row),
      paint: (text, { outcome }) => (outcome === 'aborted' ? dim(text) : colours.red(text)),
      optional: true,
      below: true,
    },
  ];
}

function eventId(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id >= 0) return id;
  throw new InvalidArgumentError(`Give an event id, as 'reeve events' shows it.`);
}
