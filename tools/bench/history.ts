import type { Client, WorkflowHandle } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** The history of a workflow's latest run. */
export async function readRun(client: Client, workflowId: string, runId?: string): Promise<readonly HistoryEvent[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return events ?? [];
}

/** The history of all runs in their order, where each run has continued the one before it. */
export async function readHistory(client: Client, workflowId: string): Promise<readonly HistoryEvent[]> {
  const runs: (readonly HistoryEvent[])[] = [];
  for (let runId: string | null | undefined; runId !== '';) {
    const run = await readRun(client, workflowId, runId ?? undefined);
    runs.unshift(run);
    runId = run[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || '';
  }
  return runs.flat();
}

/** For each activity, when the task after its answer ended, in milliseconds since 1970. */
export function commitTimes(events: readonly HistoryEvent[]): readonly number[] {
  return events.flatMap((event, index) => {
    if (!event.activityTaskCompletedEventAttributes) return [];
    const commit = events.slice(index).find((later) => later.workflowTaskCompletedEventAttributes);
    return commit ? [tsToMs(commit.eventTime)] : [];
  });
}

/** When the first task ended, in milliseconds since 1970. */
export function firstTaskEnd(events: readonly HistoryEvent[]): number | undefined {
  const first = events.find((event) => event.workflowTaskCompletedEventAttributes);
  return first && tsToMs(first.eventTime);
}
