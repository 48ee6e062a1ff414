import type { Client } from '@temporalio/client';
import { grpcError } from '../../temporal/grpc-error.js';
import { readExecution } from '../../client/explain/execution.js';
import { failureWords } from '../explanation/service-words.js';
import { ok, problem, skipped, type Finding } from './finding.js';

/** How many workflows are shown; more examples of the same mistake would not help. */
const MOST_SHOWN = 5;
/** Temporal sets this for a workflow whose task has failed several times in a row, and clears it when one goes well. */
const FAILING = "TemporalReportedProblems IS NOT NULL AND ExecutionStatus = 'Running'";
/** gRPC status code INVALID_ARGUMENT. */
const INVALID_ARGUMENT = 3;

/** Which workflows of the namespace cannot go on, since their tasks fail again and again: entities, operations and others. */
export async function lookForFailingWorkflows(client: Client): Promise<readonly Finding[]> {
  const about = 'workflow tasks';
  const count = await countFailing(client);
  if (count === undefined)
    return [skipped(about, 'unknown: this service does not report workflows whose tasks keep failing')];
  if (count === 0) return [ok(about, 'none fails again and again')];
  const shown: Finding[] = [];
  for await (const { workflowId } of client.workflow.list({ query: FAILING, pageSize: MOST_SHOWN })) {
    if (shown.length === MOST_SHOWN) break;
    const task = (await readExecution(client, workflowId))?.task;
    // The workflow has gone on meanwhile.
    if (!task) continue;
    const { remedy = `Show what it waits for: temporal workflow describe -w ${workflowId}` } = task;
    shown.push(problem(about, `${workflowId}: ${failureWords(task, Date.now())}`, remedy));
  }
  if (shown.length === 0) return [ok(about, 'none fails any more')];
  if (count <= MOST_SHOWN) return shown;
  const all = `All of them: temporal workflow list --query "${FAILING}"`;
  return [problem(about, `${count} workflows make no progress; the first ${shown.length} follow`, all), ...shown];
}

/** How many there are; nothing where the service does not know the query, as before Temporal 1.30. */
async function countFailing(client: Client): Promise<number | undefined> {
  try {
    return (await client.workflow.count(FAILING)).count;
  } catch (thrown) {
    if (Number(grpcError(thrown)?.code) === INVALID_ARGUMENT) return undefined;
    throw thrown;
  }
}
