import type { Client } from '@temporalio/client';
import { isUnknownTypeMessage } from '../../protocol/unknown-type.js';
import { protoMilliseconds } from './timestamp.js';

/**
 * Why a task fails. `unknown_type`: the worker does not have the type. `nondeterminism`: the history does not replay on the code
 * that runs. `timed_out`: the worker that had taken it did not end it in time. `code`: anything else that was thrown.
 */
export type TaskFailureCause = 'unknown_type' | 'nondeterminism' | 'timed_out' | 'code';

/** A task that fails again and again. */
export interface TaskFailure {
  readonly cause: TaskFailureCause;
  /** When it failed first. */
  readonly since: number;
  /** With what it failed first. */
  readonly message?: string;
}

/** How far back to look: only the first failure in a row is written down, and what has come meanwhile follows it. */
const LATEST_EVENTS = 100;
// temporal.api.enums.v1: the client has no names for them.
const NON_DETERMINISTIC_ERROR = 24;
const START_TO_CLOSE = 1;

/** Why the task of a workflow has failed since its last one that went well; nothing where the history does not tell. */
export async function taskFailure(
  client: Client,
  workflowId: string,
  runId: string,
  problems: readonly string[],
): Promise<TaskFailure | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LATEST_EVENTS,
  });
  let found: TaskFailure | undefined;
  for (const event of history?.events ?? []) {
    if (event.workflowTaskCompletedEventAttributes) break;
    const since = protoMilliseconds(event.eventTime) ?? 0;
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) {
      const message = failed.failure?.message ?? undefined;
      found = { cause: causeOf(failed.cause, message), since, ...(message !== undefined && { message }) };
    } else if (event.workflowTaskTimedOutEventAttributes?.timeoutType === START_TO_CLOSE) {
      found = { cause: 'timed_out', since };
    }
  }
  // What it fails with now may be something else than at first, and only the service tells.
  if (
    found &&
    found.cause !== 'nondeterminism' &&
    problems.some((problem) => problem.endsWith('NonDeterministicError'))
  )
    return { cause: 'nondeterminism', since: found.since };
  return found;
}

function causeOf(cause: number | null | undefined, message = ''): TaskFailureCause {
  if (cause === NON_DETERMINISTIC_ERROR) return 'nondeterminism';
  return isUnknownTypeMessage(message) ? 'unknown_type' : 'code';
}
