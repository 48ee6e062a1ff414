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
import { KEEP_ACTIVITY, RECORDS_TYPE } from '../protocol/names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { RecordDriver } from '../recording/driver.js';

/** The way out of the sandbox that costs no history. */
export interface RecordSinks extends Sinks {
  readonly reeve: { offer(records: readonly StoreRecord[]): void };
}

const { reeve } = proxySinks<RecordSinks>();

/** Records on Temporal: offered by a sink, kept by an activity, left to a workflow of their own. */
export const recordDriver: RecordDriver = {
  offer: (records) => reeve.offer(records),
  keep: (records, aside) =>
    CancellationScope.nonCancellable(async () => {
      const retry = { maximumAttempts: 1 };
      try {
        // A local activity is cheap, and holds back the answers of its task.
        if (aside)
          await scheduleActivity(KEEP_ACTIVITY, [records], {
            startToCloseTimeout: '10s',
            retry,
            summary: summaryOf(records),
          });
        else await scheduleLocalActivity(KEEP_ACTIVITY, [records], { startToCloseTimeout: '3s', retry });
        return true;
      } catch (thrown) {
        if (thrown instanceof TemporalFailure) return false;
        throw thrown;
      }
    }),
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

/** Nothing is told to a store. */
export const noRecords: RecordDriver = {
  offer: () => undefined,
  keep: () => Promise.resolve(true),
  handOn: () => Promise.resolve(),
};

/** The workflow of a carrier: it brings records to the store, however long that is away. */
export async function recordsWorkflow(records: readonly StoreRecord[]): Promise<void> {
  await scheduleActivity(KEEP_ACTIVITY, [records], {
    startToCloseTimeout: '30s',
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    summary: summaryOf(records),
  });
}

function summaryOf(records: readonly StoreRecord[]): string {
  return `keep ${records.length} records`;
}
