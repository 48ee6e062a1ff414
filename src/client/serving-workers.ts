import type { Client } from '@temporalio/client';
import { livingPollers, type FrozenWorkers } from './frozen-workers.js';

/** The workers that serve a task queue. */
export interface ServingWorkers {
  readonly taskQueue: string;
  /** How many have asked for work recently enough to be alive, without frozen ones. */
  readonly alive: number;
  /** The identities of those whose processes are frozen. */
  readonly frozen: readonly string[];
  /** How many of them run which build; null stands for workers without one. */
  readonly builds: readonly { readonly build: string | null; readonly workers: number }[];
}

// temporal.api.enums.v1.TaskQueueType.WORKFLOW: the client has no name for it.
const WORKFLOWS = 1;

/** Asks Temporal who serves the workflows of a task queue. */
export async function servingWorkers(
  client: Client,
  taskQueue: string,
  frozenWorkers: FrozenWorkers,
): Promise<ServingWorkers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOWS,
  });
  const { alive, frozen } = await livingPollers(taskQueue, pollers, frozenWorkers);
  const builds = new Map<string | null, number>();
  for (const { deploymentOptions: options } of alive) {
    const build = options?.buildId || null;
    builds.set(build, (builds.get(build) ?? 0) + 1);
  }
  return {
    ...{ taskQueue, alive: alive.length, frozen },
    builds: [...builds].map(([build, workers]) => ({ build, workers })),
  };
}
