import type { Client } from '@temporalio/client';

/** How far back to look: only the first failure in a row is written down, so it is among the last. */
const LATEST_EVENTS = 10;

/** Why the workflow's own code failed last, from its history; nothing when that is not there. */
export async function taskFailure(client: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LATEST_EVENTS,
  });
  for (const { workflowTaskFailedEventAttributes: failed } of history?.events ?? []) {
    if (failed?.failure?.message) return failed.failure.message;
  }
  return undefined;
}
