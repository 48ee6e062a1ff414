import type { Client } from '@temporalio/client';
import { shortRun, type Findings, type Loss } from './progress.js';
import type { LossQuestion } from './workflow.js';

/**
 * The ends that an entity does not bring about itself: one that is deleted completes. `Failed` is an entity that was not
 * created, which has told the one that asked for it, or one that the SDK has failed.
 */
const OTHER_HANDS = ['Terminated', 'TimedOut', 'Canceled', 'Failed'];
/** The most that one question finds. */
const MOST_FOUND = 500;
const PAGE = 1_000;

/** The entities of these types that did not end by themselves, the oldest first. */
export async function findLosses(client: Client, { types, since, known }: LossQuestion): Promise<Findings> {
  // A worker may have deployments alone.
  if (types.length === 0) return { found: [], more: false };
  const told = new Set(known);
  const found: Loss[] = [];
  const query =
    `CloseTime >= '${new Date(since).toISOString()}' AND ExecutionStatus IN (${quoted(OTHER_HANDS)}) ` +
    `AND WorkflowType IN (${quoted(types)})`;
  for await (const { workflowId, runId, closeTime } of client.workflow.list({ query, pageSize: PAGE })) {
    if (closeTime && !told.has(shortRun(runId))) {
      found.push({ id: workflowId, run: runId, endedAt: closeTime.getTime() });
    }
  }
  // The service gives them in no reliable order.
  found.sort((one, other) => one.endedAt - other.endedAt);
  return { found: found.slice(0, MOST_FOUND), more: found.length > MOST_FOUND };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
