import type { ErrorRecord } from '../protocol/error-record.js';
import type { OperationRecord, RecordedOutcome } from '../protocol/records.js';
import type { OperationStatus } from './status.js';

/** How many errors the summary names; the others are counted. */
const NAMED = 3;

/** How far an operation is, in one word. S5.3 */
export function recordedOutcome({ hung, outcome }: Pick<OperationStatus, 'hung' | 'outcome'>): RecordedOutcome {
  return hung ? 'hung' : outcome;
}

/** The record of an operation for the store. S5.1 */
export function operationRecord(status: OperationStatus): OperationRecord {
  const { id, name, startedAt, startOrder, endedAt, restarts, dimensions } = status;
  const error = sumOf(status);
  return {
    kind: 'operation',
    ...{ id, name, startedAt, restarts, dimensions },
    // The entity has answered the request in the task in which it opened the operation.
    answeredAt: startedAt,
    outcome: recordedOutcome(status),
    ...(startOrder !== undefined && { startOrder }),
    ...(endedAt !== undefined && { endedAt }),
    ...(error && { error }),
  };
}

/** Sums up the errors of the participants. */
function sumOf({ errors, rejection }: OperationStatus): ErrorRecord | undefined {
  if (rejection) return { kind: 'rejected', code: rejection.code, message: rejection.message };
  const [first, ...others] = errors;
  if (!first) return undefined;
  const { kind, code, message } = first;
  if (others.length === 0) return { kind, code, message: `${first.entity}: ${message}` };
  const named = errors.slice(0, NAMED).map((each) => `${each.entity}: ${each.message}`);
  const more = errors.length > NAMED ? `; and ${errors.length - NAMED} more` : '';
  return { kind, code, message: `${errors.length} errors. ${named.join('; ')}${more}` };
}
