import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { taskFailure, type TaskFailureCause } from './task-failure.js';
import { taskRemedy } from './task-remedy.js';
import { protoMilliseconds } from './timestamp.js';

/** The next step of a workflow's own code. */
export interface PendingTask {
  /** More than one: it fails again and again. */
  readonly attempt: number;
  /** When it was queued; when it failed first, of one that fails. */
  readonly since: number;
  /** A worker has taken it. */
  readonly started: boolean;
  /** Of one that fails. */
  readonly cause?: TaskFailureCause;
  /** With what it has failed first. */
  readonly failure?: string;
  /** What a person does about it. */
  readonly remedy?: string;
}

/** temporal.api.enums.v1.PendingWorkflowTaskState: the client has no names for them. */
const TASK_STARTED = 2;
/** What Temporal says of workflows whose tasks fail again and again. */
const PROBLEMS = 'TemporalReportedProblems';

/** The step that a running workflow has before it; nothing when it has none. */
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
  // A worker that ended may have been the only one: then nothing fails, and one is missing.
  if (!failed || (failed.cause === 'timed_out' && !task.started)) return { task, queuedAt };
  const { cause, since, message: failure } = failed;
  const remedy = taskRemedy(cause, { workflowId, type, taskQueue });
  return { task: { ...task, since, cause, ...(failure !== undefined && { failure }), remedy }, queuedAt };
}
