import type { Client } from '@temporalio/client';
import { Worker, type WorkflowBundleOption, type InjectedSinks } from '@temporalio/worker';
import { workerConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import { DEPLOYMENT_TYPE, OPERATION_TYPE } from '../protocol/names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { RecordSinks } from './record-driver.js';

/** The records of one run, from its history. */
export interface ReplayedRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly records: readonly StoreRecord[];
  /** Why the history could not be replayed to its end: the code is no longer what it was. */
  readonly problem?: string;
}

/** How many histories are fetched ahead, so that replaying does not wait. */
const AHEAD = 8;

/**
 * Replays the runs of all entities of these types that the service still has, and of the operations and deployments of this task queue, and gives what they had told the store:
 * the workflows are the truth. S5.2
 */
export async function* replayRecords(
  client: Client,
  workflowBundle: WorkflowBundleOption,
  {
    types,
    taskQueue,
    payloads = UNENCRYPTED,
  }: { readonly types: readonly string[]; readonly taskQueue: string; readonly payloads?: PayloadSettings },
): AsyncGenerator<ReplayedRun> {
  const told = new Map<string, StoreRecord[]>();
  const sinks: InjectedSinks<RecordSinks> = {
    reeve: {
      offer: {
        fn: ({ runId }, records) => void told.set(runId, [...(told.get(runId) ?? []), ...records]),
        callDuringReplay: true,
      },
    },
  };
  // The task queue tells them from those of other projects.
  const others = `(WorkflowType IN ('${OPERATION_TYPE}', '${DEPLOYMENT_TYPE}') AND TaskQueue = '${taskQueue}')`;
  const query = [others, ...types.map((type) => `WorkflowType = '${type}'`)].join(' OR ');
  const histories = client.workflow.list({ query }).intoHistories({ concurrency: AHEAD });
  const dataConverter = workerConverter(payloads, client.options.namespace);
  for await (const result of Worker.runReplayHistories({ workflowBundle, sinks, dataConverter }, histories)) {
    const { workflowId, runId, error } = result;
    const records = told.get(runId) ?? [];
    told.delete(runId);
    yield { workflowId, runId, records, ...(error && { problem: error.message }) };
  }
}
