import type { Client } from '@temporalio/client';
import { keepHistory, replayHistories } from '../../src/temporal/histories.js';

/** The result of a replay of all histories of a namespace. */
export interface Replayed {
  readonly histories: number;
  /** The histories that do not replay, each with the reason. */
  readonly problems: readonly string[];
}

/** How many histories are fetched ahead of the one that is replayed. */
const AHEAD = 8;

/**
 * Replays every history, open and closed, on this code. Leaves those that do not replay in the folder. S4.1a
 * @param build only those whose run was on this build, `deployment:build`
 */
export async function replayAll(client: Client, code: string, folder: string, build?: string): Promise<Replayed> {
  const problems: string[] = [];
  let histories = 0;
  const query = build === undefined ? {} : { query: `TemporalWorkerDeploymentVersion = '${build}'` };
  const all = client.workflow.list(query).intoHistories({ concurrency: AHEAD });
  for await (const { workflowId, runId, error } of replayHistories({ code }, all)) {
    histories++;
    if (!error) continue;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const file = await keepHistory(folder, `${workflowId}.${runId}`, history);
    problems.push(`${workflowId} does not replay: ${error.message}\n  its history is in ${file}`);
  }
  return { histories, problems };
}
