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
  const task = { attempt: pending.attempt ?? 1, since: queuedAt, started: pending.state === TASK_STARTED };
  const failed = task.attempt > 1 ? await taskFailure(client, workflowId, runId, problems) : undefined;
  // When a worker has ended, it may have been the only one. Then nothing fails, but a worker is missing.
  if (!failed || (failed.cause === 'timed_out' && !task.started)) return { task, queuedAt };
  const { cause, since, message: failure } = failed;
  const remedy = taskRemedy(cause, { workflowId, type, taskQueue });
  return { task: { ...task, since, cause, ...(failure !== undefined && { failure }), remedy }, queuedAt };
}
