import type { LoadedDataConverter } from '@temporalio/common';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { temporal } from '@temporalio/proto';
import { LANE_ACTIVITY } from '../protocol/distributed-names.js';
import type { LaneSays } from '../temporal/distributed/lane-driver.js';

type Activity = Pick<temporal.api.workflow.v1.IPendingActivityInfo, 'activityType' | 'heartbeatDetails'>;

/** Reads what the lanes have reported last. The other activities of an instance send heartbeats too, without a report. */
export async function laneReports(
  converter: LoadedDataConverter,
  activities: readonly Activity[],
): Promise<readonly LaneSays[]> {
  const lanes = activities.filter(({ activityType }) => activityType?.name === LANE_ACTIVITY);
  const reports = lanes.flatMap(({ heartbeatDetails }) => heartbeatDetails?.payloads ?? []);
  return (await decodeArrayFromPayloads(converter, reports)) as LaneSays[];
}
