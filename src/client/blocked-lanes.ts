import type { Client } from '@temporalio/client';
import type { BlockedJobs, Instance } from '../distributed/index.js';
import { placeTaskQueue } from '../protocol/distributed-names.js';
import { frozenWords } from './explain/frozen-words.js';
import { TaskQueues } from './explain/task-queues.js';
import type { FrozenWorkers } from './frozen-workers.js';
import type { LaneSays } from '../temporal/distributed/lane-driver.js';

/** An executor that is up takes a lane within this time, in milliseconds. */
const TAKEN_WITHIN_MS = 3_000;

/** Gives the lanes that do not get on: no executor of their place has taken them, or their job waits for a lock. */
export async function blockedLanes(
  client: Client,
  taskQueue: string,
  { lanes }: Instance,
  said: readonly LaneSays[],
  frozenWorkers: FrozenWorkers,
): Promise<readonly BlockedJobs[]> {
  const now = Date.now();
  const waiting = Object.entries(lanes).filter(
    ([number, { at }]) => now - at > TAKEN_WITHIN_MS && !said.some((says) => `${says.number}` === number),
  );
  const places = [...new Set(waiting.map(([, { place }]) => place))];
  const queues = new TaskQueues(client, frozenWorkers);
  const executors = new Map(
    await Promise.all(
      places.map(async (place) => {
        return [place, await queues.describe(placeTaskQueue(taskQueue, place), 'calls')] as const;
      }),
    ),
  );
  return [
    ...waiting.map(([, { place, given, at }]): BlockedJobs => {
      const { workers = 0, frozen } = executors.get(place) ?? {};
      const message =
        workers > 0
          ? `No executor of ${place} takes them: all of them are busy, or have just ended.`
          : frozen
            ? `No executor of ${place} takes them: ${frozenWords(frozen)}.`
            : `No executor of ${place} is connected.`;
      return { kind: 'executor', place, partitions: given, message, since: at };
    }),
    // A lane may have ended between its report and the reading of the instance.
    ...locksIn(said.filter(({ number }) => lanes[number])),
  ];
}

/** Gives the jobs that wait for a lock, as their executors have reported. I5 */
export function locksIn(said: readonly LaneSays[]): readonly BlockedJobs[] {
  return said.flatMap(({ place, partition, lock }) =>
    lock && partition !== undefined ? [{ kind: 'lock', place, partitions: `${partition}`, ...lock }] : [],
  );
}
