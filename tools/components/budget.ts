import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { HistoryEvent } = proto.temporal.api.history.v1;
/** From here on, the service warns of a history, and of a message in bytes. */
const MOST_EVENTS = 10_240;
const LARGEST_BYTES = 512 * 1024;

/** What the histories of a workflow cost, run by run, and which of them are beyond what the service takes without a warning. */
export async function budgetOf(client: Client, id: string) {
  const spent: string[] = [];
  const problems: string[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${id}"` })) {
    const { events } = await client.workflow.getHandle(id, runId).fetchHistory();
    const sizes = (events ?? []).map((event) => HistoryEvent.encode(event).finish().length);
    const largest = Math.max(...sizes);
    const givenUp = (events ?? []).filter(isGivenUp).length;
    const line = `${id}: ${sizes.length} events, the largest of ${Math.ceil(largest / 1024)} KB, ${givenUp} tasks given up`;
    spent.push(line);
    if (sizes.length > MOST_EVENTS || largest > LARGEST_BYTES) problems.push(`${line}, is beyond the budget`);
  }
  if (spent.length === 0) problems.push(`${id} has no history`);
  return { spent, problems };
}

/** Whether a worker had begun a task that does not count: it was late, or too much had come meanwhile. */
function isGivenUp(event: proto.temporal.api.history.v1.IHistoryEvent): boolean {
  return Boolean(event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes);
}
