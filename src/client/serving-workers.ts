import type { Client } from '@temporalio/client';
import { protoMilliseconds } from './explain/timestamp.js';

/** The workers that serve a task queue. */
export interface ServingWorkers {
  readonly taskQueue: string;
  /** How many have asked for work recently enough to be alive. */
  readonly alive: number;
  /** How many of them run which build; null stands for workers without one. */
  readonly builds: readonly { readonly build: string | null; readonly workers: number }[];
}

/** A worker that waits for work asks anew each minute. */
export const ASKS_WITHIN_MS = 70_000;
// temporal.api.enums.v1.TaskQueueType.WORKFLOW: the client has no name for it.
const WORKFLOWS = 1;

/** Asks Temporal who serves the workflows of a task queue. */
export async function servingWorkers(client: Client, taskQueue: string): Promise<ServingWorkers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOWS,
  });
  const recent = (pollers ?? []).filter(
    ({ lastAccessTime }) => (protoMilliseconds(lastAccessTime) ?? 0) > Date.now() - ASKS_WITHIN_MS,
  );
  const builds = new Map<string | null, number>();
  for (const { deploymentOptions: options } of recent) {
    const build = options?.buildId || null;
    builds.set(build, (builds.get(build) ?? 0) + 1);
  }
  return {
    ...{ taskQueue, alive: recent.length },
    builds: [...builds].map(([build, workers]) => ({ build, workers })),
  };
}
