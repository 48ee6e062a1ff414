import { colours } from '../colours.js';
import { dim, paintState } from './columns.js';
import type { ListedRow } from './page.js';
import type { TableColumn } from './table.js';
import { formatDuration, formatTime, type Clock } from './time.js';

/** Events for people. The errors are what each error id says. */
export function eventColumns(
  clock: Clock,
  errors: ReadonlyMap<number, string>,
): readonly TableColumn<ListedRow<'state_machine_events'>>[] {
  return [
    { title: 'EVENT ID', text: ({ event_id: id }) => String(id), paint: dim, expendable: true },
    { title: 'ENTITY', text: ({ state_machine_type: type, keys }) => `${type}/${keys}` },
    { title: 'EVENT', text: ({ event }) => event },
    { title: 'BY', text: ({ event_type: type }) => type, paint: dim, expendable: true },
    {
      title: 'STATES',
      text: ({ start_state: from, end_state: to }) => `${from} → ${to ?? '…'}`,
      paint: (text, { error_end_state: isError }) => paintState(text, isError),
    },
    { title: 'STARTED', text: ({ start_time: time }) => formatTime(time, clock), paint: dim },
    {
      title: 'TOOK',
      text: ({ start_time: from, end_time: to }) => formatDuration(from, to, clock),
      align: 'right',
    },
    {
      title: 'ERROR',
      text: (row) => (row.error === null ? '' : (errors.get(row.error) ?? '')) || (row.exception_details ?? ''),
      paint: (text) => colours.red(text),
      optional: true,
    },
  ];
}
