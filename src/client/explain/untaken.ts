import type { Client } from '@temporalio/client';
import type { Stuck } from '../../kernel/index.js';
import type { FrozenWorkers } from '../frozen-workers.js';
import type { LiveReader } from '../live/live-reader.js';
import type { Visible } from '../live/visibility.js';
import { unserved } from './stuck-ones.js';
import { isUnservedQueue, TaskQueues } from './task-queues.js';

/** An entity that has not begun, with why. */
export interface Untaken {
  readonly workflow: Visible;
  readonly stuck: Stuck;
}

/** An entity that was started a moment ago is about to begin. */
const BEGINS_WITHIN_MS = 10_000;

/**
 * Finds the entities of these types whose first task waits in a task queue that no worker serves. They have shown no state, and the store
 * has no rows of them. It takes one list of at most so many `rows`, and one question for each task queue in it. S5.4
 */
export async function untakenEntities(
  client: Client,
  live: LiveReader,
  types: readonly string[],
  rows: number,
  frozen: FrozenWorkers,
): Promise<readonly Untaken[]> {
  const found = await live.unborn(types, new Date(Date.now() - BEGINS_WITHIN_MS), { rows });
  const names = [...new Set(found.map(({ taskQueue }) => taskQueue))];
  const queues = new TaskQueues(client, frozen);
  const described = await Promise.all(names.map((name) => queues.describe(name, 'steps')));
  const without = new Map(described.filter(isUnservedQueue).map((queue) => [queue.taskQueue, queue.frozen]));
  return found
    .filter(({ taskQueue }) => without.has(taskQueue))
    .map((workflow) => {
      const { startedAt, taskQueue } = workflow;
      return {
        workflow,
        stuck: unserved('its first task waits', startedAt.getTime(), { taskQueue, frozen: without.get(taskQueue) }),
      };
    });
}
