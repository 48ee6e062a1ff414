import type { Client } from '@temporalio/client';
import type { BlockedJobs, Instance } from '../distributed/index.js';
import { placeTaskQueue } from '../protocol/distributed-names.js';
import { protoMilliseconds } from './explain/timestamp.js';
import { ASKS_WITHIN_MS } from './serving-workers.js';
import type { LaneSays } from '../temporal/distributed/lane-driver.js';

/** An executor that is up takes a lane within this time, in milliseconds. */
const TAKEN_WITHIN_MS = 3_000;
// temporal.api.enums.v1.TaskQueueType.ACTIVITY: the client has no name for it.
const ACTIVITIES = 2;

/** Gives the lanes that do not get on: no executor of their place has taken them, or their job waits for a lock. */
export async function blockedLanes(
  client: Client,
  taskQueue: string,
  { lanes }: Instance,
  said: readonly LaneSays[],
): Promise<readonly BlockedJobs[]> {
  const now = Date.now();
  const waiting = Object.entries(lanes).filter(
    ([number, { at }]) => now - at > TAKEN_WITHIN_MS && !said.some((says) => `${says.number}` === number),
  );
  const places = [...new Set(waiting.map(([, { place }]) => place))];
  const up = new Map(
    await Promise.all(places.map(async (place) => [place, await hasExecutor(client, taskQueue, place)] as const)),
  );
  return [
    ...waiting.map(([, { place, given, at }]): BlockedJobs => {
      const message = up.get(place)
        ? `No executor of ${place} takes them: all of them are busy, or have just ended.`
        : `No executor of ${place} is connected.`;
      return { kind: 'executor', place, partitions: given, message, since: at };
    }),
    ...said.flatMap(({ place, partition, lock }): readonly BlockedJobs[] =>
      lock && partition !== undefined ? [{ kind: 'lock', place, partitions: `${partition}`, ...lock }] : [],
    ),
  ];
}

/** Tells whether an executor of a place has asked Temporal for work lately. */
async function hasExecutor(client: Client, taskQueue: string, place: string): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: placeTaskQueue(taskQueue, place) },
    taskQueueType: ACTIVITIES,
  });
  return (pollers ?? []).some(
    ({ lastAccessTime }) => (protoMilliseconds(lastAccessTime) ?? 0) > Date.now() - ASKS_WITHIN_MS,
  );
}
