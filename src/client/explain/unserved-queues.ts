import type { Client } from '@temporalio/client';
import { placeTaskQueue } from '../../protocol/distributed-names.js';
import { isUnservedQueue, TaskQueues, type QueueState } from './task-queues.js';

/** A task queue whose work no worker takes. */
export interface UnservedQueue extends Pick<
  QueueState,
  'taskQueue' | 'work' | 'waiting' | 'oldestMs' | 'workers' | 'lastAskedAt'
> {
  /** The place of executors whose queue it is; absent for that of the workflows. */
  readonly place?: string;
}

/** Asks Temporal which task queues no worker serves: that of the workflows and their calls, and those of places. */
export async function unservedQueues(
  client: Client,
  taskQueue: string,
  places: readonly string[],
): Promise<readonly UnservedQueue[]> {
  const queues = new TaskQueues(client);
  const found = await Promise.all([
    queues.describe(taskQueue, 'steps'),
    queues.describe(taskQueue, 'calls'),
    ...places.map(async (place) => ({ ...(await queues.describe(placeTaskQueue(taskQueue, place), 'calls')), place })),
  ]);
  return found.filter(isUnservedQueue);
}
