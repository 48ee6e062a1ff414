import type { ErrorKind, ErrorRecord } from '../../protocol/error-record.js';
import { hash53 } from '../hash.js';
import type { Table } from '../writing/table.js';

interface ErrorRow {
  readonly error_id: number;
  readonly details: string;
  readonly kind: ErrorKind;
}

/** One row for all errors of the same kind and details. */
export const ERRORS: Table = {
  name: 'errors',
  columns: { error_id: 'bigint', details: 'text', kind: 'text' },
  key: ['error_id'],
  newest: [],
};

export function errorRow({ kind, code, message }: ErrorRecord): ErrorRow {
  const details = `${code}: ${message}`;
  return { error_id: hash53(kind, details), details, kind };
}

/** The error of a row. A code has no colon. */
export function errorOf(kind: ErrorKind, details: string): ErrorRecord {
  const colon = details.indexOf(': ');
  return { kind, code: details.slice(0, colon), message: details.slice(colon + 2) };
}
