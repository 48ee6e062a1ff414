import {
  CancellationScope,
  ParentClosePolicy,
  proxySinks,
  scheduleActivity,
  scheduleLocalActivity,
  startChild,
  TemporalFailure,
  uuid4,
  workflowInfo,
  type Sinks,
} from '@temporalio/workflow';
import { CONFIRM_ACTIVITY, KEEP_ACTIVITY, RECALL_ACTIVITY, RECORDS_TYPE } from '../protocol/names.js';
import { NOTHING_KNOWN, type Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { Resumption } from '../protocol/resumption.js';
import type { StoreRecord } from '../protocol/records.js';
import type { RecordDriver } from '../recording/driver.js';
import type { RequestQuestion } from './record-keeper.js';

/** The way out of the sandbox that costs no history. */
export interface RecordSinks extends Sinks {
  readonly reeve: { offer(records: readonly StoreRecord[]): void; resume(resumption: Resumption): void };
}

const { reeve } = proxySinks<RecordSinks>();

/** Records on Temporal: a sink offers them, an activity keeps them, or a workflow of their own takes them over. */
export const recordDriver: RecordDriver = {
  offer: (records) => reeve.offer(records),
  confirm: (names, aside) =>
    unlessAway(() => bring<readonly string[]>(CONFIRM_ACTIVITY, names, aside && 'ask which records are missing')),
  keep: async (records, aside) => {
    const kept = await unlessAway(async () => {
      await bring<void>(KEEP_ACTIVITY, records, aside && summaryOf(records));
      return true;
    });
    return kept ?? false;
  },
  recall: (of, ids, aside) =>
    unlessAway(() => bring<Recollection>(RECALL_ACTIVITY, { of, ids }, aside && `ask about ${ids.length} requests`)),
  handOn: async (records) => {
    const { workflowId } = workflowInfo();
    const options = {
      workflowId: `records/${workflowId}/${uuid4()}`,
      args: [records] as [readonly StoreRecord[]],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `${records.length} records of ${workflowId}`,
    };
    await CancellationScope.nonCancellable(() =>
      startChild<(carried: readonly StoreRecord[]) => Promise<void>>(RECORDS_TYPE, options),
    );
  },
};

/** Tells the worker that an entity goes on here. Not in a replay. */
export function tellResumption(resumption: Resumption): void {
  reeve.resume(resumption);
}

/** The driver without a store. */
export const noRecords: RecordDriver = {
  offer: () => undefined,
  confirm: () => Promise.resolve([]),
  keep: () => Promise.resolve(true),
  recall: () => Promise.resolve(NOTHING_KNOWN),
  handOn: () => Promise.resolve(),
};

/** The workflow of a carrier: it brings records to the store, however long the store is unavailable. */
export async function recordsWorkflow(records: readonly StoreRecord[]): Promise<void> {
  await scheduleActivity(KEEP_ACTIVITY, [records], {
    startToCloseTimeout: '30s',
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    summary: summaryOf(records),
  });
}

/** A local activity is cheap, and holds back the answers of its task; one with a summary does not. */
function bring<T>(
  activity: string,
  what: RecordNames | readonly StoreRecord[] | RequestQuestion,
  summary: string | false,
): Promise<T> {
  const retry = { maximumAttempts: 1 };
  if (summary === false) return scheduleLocalActivity<T>(activity, [what], { startToCloseTimeout: '5s', retry });
  return scheduleActivity<T>(activity, [what], { startToCloseTimeout: '10s', retry, summary });
}

/** The result; nothing when this cannot be done now. It is done even when the workflow is cancelled. */
function unlessAway<T>(run: () => Promise<T>): Promise<T | undefined> {
  return CancellationScope.nonCancellable(async () => {
    try {
      return await run();
    } catch (thrown) {
      if (thrown instanceof TemporalFailure) return undefined;
      throw thrown;
    }
  });
}

function summaryOf(records: readonly StoreRecord[]): string {
  return `keep ${records.length} records`;
}
