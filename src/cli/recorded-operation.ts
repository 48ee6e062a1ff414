import type { OperationStatus } from '../operations/status.js';
import { Rejected } from '../protocol/errors.js';
import { EXIT } from './exit.js';
import { printJson } from './json.js';
import { paintOutcome } from './list/columns.js';
import type { ListedRow } from './list/page.js';
import { formatDuration } from './list/time.js';
import { findOperation } from './operation-id.js';
import type { Session } from './session.js';
import { withStore } from './store-session.js';

type Row = ListedRow<'operations'> & { readonly workflow_end_time: string };

/**
 * How far an operation is; or its row in the store, when its workflow is gone or it never needed one.
 * @throws Rejected `absent`
 */
export async function statusOrRow(
  { reeve }: Session,
  operation: string,
): Promise<{ readonly status: OperationStatus } | { readonly row: Row }> {
  try {
    return { status: await reeve.operations.status(operation) };
  } catch (thrown) {
    if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
    const row = await withStore((store) => findOperation(store, operation));
    const { workflow_end_time: end } = row;
    if (end === null) throw thrown;
    return { row: { ...row, workflow_end_time: end } };
  }
}

/** Prints how an operation has ended by its row, and gives the exit code of its outcome. */
export function printEnded(row: Row, { json }: { readonly json?: boolean }): number {
  const { request_id: id, name, outcome, workflow_start_time: start, workflow_end_time: end } = row;
  if (json) printJson({ id, name, outcome, startedAt: Date.parse(start), endedAt: Date.parse(end) });
  else {
    const took = formatDuration(start, end, { now: Date.now(), utc: false });
    console.log(`${name}: ${paintOutcome(outcome ?? '')} after ${took}`);
  }
  return outcome === 'success' ? EXIT.done : EXIT.failed;
}
