import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { HistoryEvent } = proto.temporal.api.history.v1;
const { EventType } = proto.temporal.api.enums.v1;
/** From here on, the service warns of a history, and of a message in bytes. */
const MOST_EVENTS = 10_240;
const LARGEST_BYTES = 512 * 1024;

/** Tells what the histories of a workflow cost, run by run, and which of them are beyond what the service takes without a warning. */
export async function budgetOf(client: Client, id: string) {
  const spent: string[] = [];
  const problems: string[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${id}"` })) {
    const { events } = await client.workflow.getHandle(id, runId).fetchHistory();
    const sized = (events ?? []).map((event) => ({ event, bytes: HistoryEvent.encode(event).finish().length }));
    const largest = sized.reduce((most, one) => (one.bytes > most.bytes ? one : most));
    const givenUp = (events ?? []).filter(isGivenUp).length;
    const most = `${EventType[largest.event.eventType!]} of ${Math.ceil(largest.bytes / 1024)} KB`;
    const line = `${id}: ${sized.length} events, the largest ${most}, ${givenUp} tasks given up`;
    spent.push(line);
    if (sized.length > MOST_EVENTS || largest.bytes > LARGEST_BYTES) problems.push(`${line}, is beyond the budget`);
  }
  if (spent.length === 0) problems.push(`${id} has no history`);
  return { spent, problems };
}

/** Tells whether a worker had begun a task that does not count: it was late, or too much had come meanwhile. */
function isGivenUp(event: proto.temporal.api.history.v1.IHistoryEvent): boolean {
  return Boolean(event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes);
}
