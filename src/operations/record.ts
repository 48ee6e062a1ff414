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
  const failure = failureOf(status);
  return {
    kind: 'operation',
    ...{ id, name, startedAt, restarts, dimensions },
    // The entity has answered the request in the task in which it opened the operation.
    answeredAt: startedAt,
    outcome: recordedOutcome(status),
    ...(startOrder !== undefined && { startOrder }),
    ...(endedAt !== undefined && { endedAt }),
    ...failure,
  };
}

/** Why it failed: the first error, by which it is counted, and the sum of all. S5.5 */
function failureOf({ errors, rejection }: OperationStatus): Pick<OperationRecord, 'error' | 'summary'> {
  if (rejection) return { error: { kind: 'rejected', code: rejection.code, message: rejection.message } };
  const [first, ...others] = errors;
  if (!first) return {};
  const { kind, code, message } = first;
  const error = { kind, code, message };
  if (others.length === 0) return { error, summary: `${first.entity}: ${message}` };
  const named = errors.slice(0, NAMED).map((each) => `${each.entity}: ${each.message}`);
  const more = errors.length > NAMED ? `; and ${errors.length - NAMED} more` : '';
  return { error, summary: `${errors.length} errors. ${named.join('; ')}${more}` };
}
