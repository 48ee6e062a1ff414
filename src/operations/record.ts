import type { OperationRecord, RecordedOutcome } from '../protocol/records.js';
import type { OperationError, OperationStatus } from './status.js';

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
  const [first] = errors;
  if (!first) return {};
  const { kind, code, message } = first;
  const count = errors.length === 1 ? '' : `${errors.length} errors. `;
  return { error: { kind, code, message }, summary: `${count}${summaryOf(errors)}` };
}

/** How many errors, and how many entities of an error, the summary names; the others are counted. */
const NAMED = 3;

/** Each error once: an entity that waits for another one fails with the same error. */
function summaryOf(errors: readonly OperationError[]): string {
  const sharing = new Map<string, readonly OperationError[]>();
  for (const error of errors) {
    const says = `${error.code}: ${error.message}`;
    sharing.set(says, [...(sharing.get(says) ?? []), error]);
  }
  const each = [...sharing.values()];
  const told = each.slice(0, NAMED).map((same) => {
    const entities = [...new Set(same.map(({ entity }) => entity))];
    const more = entities.length > NAMED ? ` and ${entities.length - NAMED} more` : '';
    return `${entities.slice(0, NAMED).join(', ')}${more}: ${same[0]!.message}`;
  });
  const left = each.slice(NAMED).flat().length;
  return `${told.join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}
