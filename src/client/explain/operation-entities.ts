import type { Client } from '@temporalio/client';
import { OPERATION_TYPE, SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import { quoted } from '../live/quoted.js';
import { MOST_ENTITIES } from './crawl.js';

/** The entities that have shown the service that they take part in an operation, the oldest first. S5.2 */
export async function entitiesOf(client: Client, operation: string): Promise<readonly string[]> {
  const query = `${SEARCH_ATTRIBUTES.operation} = ${quoted(operation)} AND ExecutionStatus = "Running" AND WorkflowType != "${OPERATION_TYPE}"`;
  const found: { readonly id: string; readonly startedAt: number }[] = [];
  for await (const { workflowId, startTime } of client.workflow.list({ query })) {
    found.push({ id: workflowId, startedAt: startTime.getTime() });
    if (found.length > MOST_ENTITIES) break;
  }
  return found.sort((one, other) => one.startedAt - other.startedAt).map(({ id }) => id);
}
