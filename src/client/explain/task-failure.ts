import type { Client } from '@temporalio/client';
import { schemasApart } from '../../protocol/other-schema.js';
import { isUnknownTypeMessage } from '../../protocol/unknown-type.js';
import { failureMessage } from '../failure-message.js';
import { protoMilliseconds } from './timestamp.js';

/**
 * Why a task fails. `unknown_type`: the worker does not have the type. `older_run`: a build with an older schema has begun the run.
 * `newer_entity`: the entity has a newer schema than the worker. `nondeterminism`: the history does not replay on the code that runs.
 * `timed_out`: the worker that took it did not end it in time. `code`: it threw any other error.
 */
export type TaskFailureCause = 'unknown_type' | 'older_run' | 'newer_entity' | 'nondeterminism' | 'timed_out' | 'code';

/** A task that fails again and again. */
export interface TaskFailure {
  readonly cause: TaskFailureCause;
  /** When it failed first. */
  readonly since: number;
  /** The message of its first failure. */
  readonly message?: string;
  /** The identity of the worker that took it and did not end it in time. */
  readonly worker?: string;
}

/** How far back to look: history has only the first failure of a row, and what came meanwhile follows it. */
const LATEST_EVENTS = 100;
// temporal.api.enums.v1: the client has no names for them.
const NON_DETERMINISTIC_ERROR = 24;
const START_TO_CLOSE = 1;

/** Why the task of a workflow fails since its last successful one; nothing where the history does not tell. */
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
      const message = await failureMessage(client, failed.failure);
      found = { cause: causeOf(failed.cause, message), since, ...(message !== undefined && { message }) };
    } else if (event.workflowTaskTimedOutEventAttributes?.timeoutType === START_TO_CLOSE) {
      found = { cause: 'timed_out', since };
    } else if (found?.cause === 'timed_out' && found.worker === undefined) {
      const worker = event.workflowTaskStartedEventAttributes?.identity;
      if (worker) found = { ...found, worker };
    }
  }
  // It may fail now for another reason than at first, and only the service tells that.
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
  return isUnknownTypeMessage(message) ? 'unknown_type' : (schemasApart(message) ?? 'code');
}
