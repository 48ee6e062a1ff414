import type { WithResult } from '../../protocol/event-results.js';
import { colours } from '../colours.js';
import { dim, paintOutcome, paintState } from './columns.js';
import type { ListedRow } from '../api/list.js';
import type { NamesForPeople } from '../names-for-people.js';
import { keepCaller, keepKeyOfAny, keepWhole, type TableColumn } from './table.js';
import { formatDuration, formatTime, type Clock } from './time.js';

/** An event with its error. */
export type ListedEvent = ListedRow<'state_machine_events'> & WithError & WithCaller & WithResult;

/** The error behind an error id, where it was asked for. */
export interface WithError {
  readonly workflow_error?: ListedRow<'workflow_errors'> | null;
  /** The error in full, where it says more than its cause. */
  readonly '@reeve.error'?: string;
}

/** Says which caller has raised an event or answered a call, to those who may read the audit trail. */
export interface WithCaller {
  readonly '@reeve.caller'?: string;
}

/** Says which caller has asked to cancel an operation, to those who may read the audit trail. */
export interface WithCancelCaller {
  readonly '@reeve.cancel_caller'?: string;
}

/** The error of a row for people. */
export function errorText({ workflow_error: cause, '@reeve.error': text }: WithError): string {
  return text ?? cause?.error_details ?? '';
}

/** Tells whether an event has gone wrong. One that was canceled has not, nor one whose errors were made good. */
export function wentWrong({ '@reeve.result': result }: WithResult): boolean {
  return result === 'failed' || result === 'rejected';
}

/** The caller who has raised an event or answered a call. */
export const CALLER: TableColumn<WithCaller> = {
  ...{ title: 'CALLER', optional: true, cut: keepCaller },
  text: ({ '@reeve.caller': caller = '' }) => caller,
  paint: dim,
};

/** Events for people. */
export function eventColumns(clock: Clock, names: NamesForPeople): readonly TableColumn<ListedEvent>[] {
  return [
    { title: 'EVENT ID', text: ({ event_id: id }) => String(id), paint: dim, expendable: true },
    { title: 'ENTITY', text: ({ state_machine_type: type, keys }) => `${type}/${keys}`, cut: keepKeyOfAny },
    { title: 'EVENT', text: ({ state_machine_type: type, event }) => names.event(type, event), cut: keepWhole },
    { title: 'BY', text: ({ event_type: type }) => type, paint: dim, expendable: true },
    CALLER,
    {
      title: 'STATES',
      text: ({ state_machine_type: type, start_state: from, end_state: to }) =>
        `${names.state(type, from)} → ${to === null ? '…' : names.state(type, to)}`,
      cut: keepWhole,
      paint: (text, { error_end_state: isError }) => paintState(text, isError),
    },
    { title: 'STARTED', text: ({ start_time: time }) => formatTime(time, clock), paint: dim },
    {
      title: 'TOOK',
      text: ({ start_time: from, end_time: to }) => formatDuration(from, to, clock),
      align: 'right',
    },
    { title: 'RESULT', text: ({ '@reeve.result': result = 'running' }) => result, paint: paintOutcome },
    {
      title: 'ERROR',
      text: (row) => errorText(row) || (row.exception_details ?? ''),
      paint: (text, row) => (wentWrong(row) ? colours.red(text) : dim(text)),
      optional: true,
      below: true,
    },
  ];
}
