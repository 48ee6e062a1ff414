import type { Client } from '@temporalio/client';
import { protoMilliseconds } from './timestamp.js';

/** The last task of a workflow that a worker has completed. */
export interface LastTask {
  /** When it was completed, in milliseconds since 1970. */
  readonly at: number;
  /** The identity of the worker: `4203@host`, unless the worker has set another one. */
  readonly worker?: string;
  /** The build that the worker runs, where it has one. */
  readonly build?: string;
}

/** How far back to look: a few events follow the last completed task, such as the timers that it has started. */
const LATEST_EVENTS = 50;

/** Reads which worker has run a workflow last; nothing where its latest events do not show that. No worker is asked. */
export async function lastTask(client: Client, workflowId: string): Promise<LastTask | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: LATEST_EVENTS,
  });
  for (const { eventTime, workflowTaskCompletedEventAttributes: completed } of history?.events ?? []) {
    if (!completed) continue;
    const { identity, deploymentVersion } = completed;
    return {
      at: protoMilliseconds(eventTime) ?? 0,
      ...(identity && { worker: identity }),
      ...(deploymentVersion?.buildId && { build: deploymentVersion.buildId }),
    };
  }
  return undefined;
}
