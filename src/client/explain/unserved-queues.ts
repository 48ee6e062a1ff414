import type { Client } from '@temporalio/client';
import type { FrozenWorkers } from '../frozen-workers.js';
import { placeTaskQueue } from '../../protocol/distributed-names.js';
import { isUnservedQueue, TaskQueues, type QueueState } from './task-queues.js';

/** A task queue whose work no worker takes, or one of whose workers is frozen. */
export interface UnservedQueue extends Pick<
  QueueState,
  'taskQueue' | 'work' | 'waiting' | 'oldestMs' | 'workers' | 'frozen' | 'lastAskedAt'
> {
  /** The place of executors whose queue it is; absent for that of the workflows. */
  readonly place?: string;
}

/** Asks Temporal which task queues are not served as they should be: that of the workflows and their calls, and those of places. */
export async function unservedQueues(
  client: Client,
  taskQueue: string,
  places: readonly string[],
  frozen: FrozenWorkers,
): Promise<readonly UnservedQueue[]> {
  const queues = new TaskQueues(client, frozen);
  const found = await Promise.all([
    queues.describe(taskQueue, 'steps'),
    queues.describe(taskQueue, 'calls'),
    ...places.map(async (place) => ({ ...(await queues.describe(placeTaskQueue(taskQueue, place), 'calls')), place })),
  ]);
  return found.filter((queue) => isUnservedQueue(queue) || queue.frozen !== undefined);
}
