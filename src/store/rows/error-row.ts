import { causeOf } from '../../protocol/cause.js';
import type { ErrorKind, ErrorRecord } from '../../protocol/error-record.js';
import { hash53 } from '../hash.js';
import type { Table } from '../writing/table.js';

interface ErrorRow {
  readonly error_id: number;
  readonly details: string;
  readonly kind: ErrorKind;
}

/** One row for all errors of the same cause. S5.5 */
export const ERRORS: Table = {
  name: 'errors',
  columns: { error_id: 'bigint', details: 'text', kind: 'text' },
  key: ['error_id'],
  newest: [],
};

/** An error as the row of an operation, an event or a transition has it. */
export interface RowError {
  readonly id: number | null;
  /** Its code and message, where they say more than its cause. */
  readonly text: string | null;
}

export const NO_ERROR: RowError = { id: null, text: null };

/** The row of the cause of an error, and what the message says beyond it. `entity` is where it came. */
export function errorRow(
  error: ErrorRecord,
  entity: string | undefined,
  message = error.message,
): { readonly row: ErrorRow; readonly text: string | null } {
  const { kind, code, message: common } = causeOf(error, entity);
  const details = `${code}: ${common}`;
  return {
    row: { error_id: hash53(kind, details), details, kind },
    text: message === common ? null : `${code}: ${message}`,
  };
}

/** The error of a row. A code has no colon. */
export function errorOf(kind: ErrorKind, details: string): ErrorRecord {
  const colon = details.indexOf(': ');
  return { kind, code: details.slice(0, colon), message: details.slice(colon + 2) };
}
