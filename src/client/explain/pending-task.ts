import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { taskFailure, type TaskFailureCause } from './task-failure.js';
import { taskRemedy } from './task-remedy.js';
import { protoMilliseconds } from './timestamp.js';

/** The next task of a workflow. */
export interface PendingTask {
  /** Above 1, it fails again and again. */
  readonly attempt: number;
  /** When it was queued, or, where it fails, when it failed first. */
  readonly since: number;
  /** Tells whether a worker has taken it. */
  readonly started: boolean;
  /** How long a worker may take for it, in milliseconds. */
  readonly withinMs?: number;
  /** The identity of the worker that has taken it and not completed it, where the history has it. */
  readonly worker?: string;
  /** Why it fails, where it does. */
  readonly cause?: TaskFailureCause;
  /** The message of its first failure. */
  readonly failure?: string;
  /** Tells what a person does about it. */
  readonly remedy?: string;
}

/** temporal.api.enums.v1.PendingWorkflowTaskState: the client has no names for them. */
const TASK_STARTED = 2;
/** The search attribute that Temporal gives to workflows whose tasks fail again and again. */
const PROBLEMS = 'TemporalReportedProblems';

/** The next task of a running workflow; nothing when it has none. */
export async function readPendingTask(
  client: Client,
  { raw, workflowId, runId, type, taskQueue, searchAttributes }: WorkflowExecutionDescription,
): Promise<{ readonly task: PendingTask; readonly queuedAt: number } | undefined> {
  const pending = raw.pendingWorkflowTask;
  if (!pending) return undefined;
  const problems = (searchAttributes[PROBLEMS] ?? []).map(String);
  const queuedAt = protoMilliseconds(pending.originalScheduledTime ?? pending.scheduledTime) ?? 0;
  const withinMs = protoMilliseconds(raw.executionConfig?.defaultWorkflowTaskTimeout);
  const task = {
    ...{ attempt: pending.attempt ?? 1, since: queuedAt, started: pending.state === TASK_STARTED },
    ...(withinMs !== undefined && { withinMs }),
  };
  const failed = task.attempt > 1 ? await taskFailure(client, workflowId, runId, problems) : undefined;
  if (!failed) return { task, queuedAt };
  const { cause, since, message: failure, worker } = failed;
  const remedy = taskRemedy(cause, { workflowId, type, taskQueue });
  const why = { cause, ...(failure !== undefined && { failure }), ...(worker !== undefined && { worker }), remedy };
  return { task: { ...task, since, ...why }, queuedAt };
}
