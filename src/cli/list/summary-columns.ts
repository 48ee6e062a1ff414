import { colours } from '../colours.js';
import type { ListedRow } from '../api/list.js';
import { dim } from './columns.js';
import { keepMember, type TableColumn } from './table.js';
import { formatShortMilliseconds } from '../explanation/time-words.js';

type Rollup = ListedRow<'operation_rollup'>;
type Cause = ListedRow<'operation_causes'>;

/** Counts, rates and durations for people. */
export const ROLLUP_COLUMNS: readonly TableColumn<Rollup>[] = [
  { title: 'DAY', text: ({ day }) => day },
  { title: 'NAME', text: ({ name }) => name, cut: keepMember },
  { title: 'OF', text: ({ dimension_value: value }) => value ?? '', optional: true },
  { title: 'TOTAL', text: ({ total }) => String(total), align: 'right' },
  { title: 'SUCCESS', text: ({ success_rate: rate }) => percent(rate), align: 'right' },
  { title: 'FAILED', text: ({ failed }) => count(failed), align: 'right', paint: (text) => colours.red(text) },
  { title: 'CANCELED', text: ({ canceled }) => count(canceled), align: 'right', optional: true },
  { title: 'HUNG', text: ({ hung }) => count(hung), align: 'right', optional: true },
  { title: 'P50', text: ({ p50_ms: ms }) => formatShortMilliseconds(ms), align: 'right' },
  { title: 'P95', text: ({ p95_ms: ms }) => formatShortMilliseconds(ms), align: 'right' },
  { title: 'P99', text: ({ p99_ms: ms }) => formatShortMilliseconds(ms), align: 'right', expendable: true },
];

/** Why things failed, for people. */
export const CAUSE_COLUMNS: readonly TableColumn<Cause>[] = [
  { title: 'DAY', text: ({ day }) => day },
  { title: 'NAME', text: ({ name }) => name, cut: keepMember },
  { title: 'OF', text: ({ dimension_value: value }) => value ?? '', optional: true },
  { title: 'TIMES', text: ({ total }) => String(total), align: 'right' },
  { title: 'KIND', text: ({ error_kind: kind }) => kind, paint: dim },
  { title: 'ERROR', text: ({ error_details: details }) => details, paint: (text) => colours.red(text), below: true },
  { title: 'ERROR ID', text: ({ error_id: id }) => String(id), paint: dim, expendable: true },
];

function count(number: number): string {
  return number > 0 ? String(number) : '';
}

/** A rate in percent. It counts only what has ended. */
function percent(rate: number | null): string {
  return rate === null ? '' : `${(rate * 100).toFixed(rate === 1 || rate === 0 ? 0 : 1)} %`;
}
