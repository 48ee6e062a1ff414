import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';

/** What became of the histories of a namespace. */
export interface Replayed {
  readonly histories: number;
  /** Of each that does not replay: which, and why. */
  readonly problems: readonly string[];
}

/** What a replay tells the store again is told to nobody. */
const NO_STORE = { reeve: { offer: { fn: () => undefined, callDuringReplay: false } } };
/** Histories that are fetched ahead of the one that is replayed. */
const AHEAD = 8;

/** Replays every history, open and closed, on this code. S4.1a */
export async function replayAll(client: Client, code: string): Promise<Replayed> {
  const problems: string[] = [];
  let histories = 0;
  const all = client.workflow.list().intoHistories({ concurrency: AHEAD });
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(
    { workflowBundle: { code }, sinks: NO_STORE },
    all,
  )) {
    histories++;
    if (error) problems.push(`${workflowId} (run ${runId}) does not replay: ${error.message}`);
  }
  return { histories, problems };
}
