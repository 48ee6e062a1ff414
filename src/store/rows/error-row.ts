import type { ErrorRecord } from '../../protocol/messages.js';
import { hash53 } from '../hash.js';
import type { Table } from '../writing/table.js';

/** Who must act: the caller, nobody since it is tried again, a person, or the author of the code. */
type ErrorKind = 'rejected' | 'retryable' | 'needs_operator' | 'defect';

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

export function errorRow(error: ErrorRecord): ErrorRow {
  const kind = error.code === 'defect' || error.stack !== undefined ? 'defect' : 'retryable';
  const details = `${error.code}: ${error.message}`;
  return { error_id: hash53(kind, details), details, kind };
}
