import { defaultDataConverter, defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { laneReports } from '../../src/client/lane-reports.js';
import { CLEAN_ACTIVITY, LANE_ACTIVITY } from '../../src/protocol/distributed-names.js';

const beat = (details: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(details)] });

it('only lanes report: the heartbeat of a clean-up says nothing (I5)', async () => {
  const report = { number: 1, place: 'host-1', ended: 3 };
  const activities = [
    { activityType: { name: CLEAN_ACTIVITY }, heartbeatDetails: beat(undefined) },
    { activityType: { name: LANE_ACTIVITY }, heartbeatDetails: beat(report) },
    { activityType: { name: LANE_ACTIVITY } },
  ];
  expect(await laneReports(defaultDataConverter, activities)).toEqual([report]);
});
