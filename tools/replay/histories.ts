import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The result of a replay of all histories of a namespace. */
export interface Replayed {
  readonly histories: number;
  /** The histories that do not replay, each with the reason. */
  readonly problems: readonly string[];
}

/** A store that hears nothing, since a replay tells it everything again. */
const NO_STORE = { reeve: { offer: { fn: () => undefined, callDuringReplay: false } } };
/** How many histories are fetched ahead of the one that is replayed. */
const AHEAD = 8;

/** Replays every history, open and closed, on this code. Leaves those that do not replay in the folder. S4.1a */
export async function replayAll(client: Client, code: string, folder: string): Promise<Replayed> {
  const problems: string[] = [];
  let histories = 0;
  const all = client.workflow.list().intoHistories({ concurrency: AHEAD });
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(
    { workflowBundle: { code }, sinks: NO_STORE },
    all,
  )) {
    histories++;
    if (!error) continue;
    const file = join(folder, `${workflowId.replaceAll('/', '-')}.${runId}.json`);
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await mkdir(folder, { recursive: true });
    await writeFile(file, historyToJSON(history));
    problems.push(`${workflowId} does not replay: ${error.message}\n  its history is in ${file}`);
  }
  return { histories, problems };
}
