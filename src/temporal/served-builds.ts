import type { Client } from '@temporalio/client';

/** temporal.api.enums.v1.TaskQueueType: the client has no names for them. */
const WORKFLOWS = 1;
/** A worker that waits for work asks anew each minute. */
const ASKS_WITHIN_MS = 70_000;

/** The versions, `deployment:build`, whose workers ask for the workflow tasks of a queue. Q2 */
export async function servedBuilds(client: Client, taskQueue: string): Promise<ReadonlySet<string>> {
  const served = (await asking(client, taskQueue)).flatMap(({ deploymentOptions }) => {
    const { deploymentName, buildId } = deploymentOptions ?? {};
    return deploymentName && buildId ? [`${deploymentName}:${buildId}`] : [];
  });
  return new Set(served);
}

/** Tells whether a worker without a version asks for the workflow tasks of a queue. Q2 */
export async function isServedWithoutVersion(client: Client, taskQueue: string): Promise<boolean> {
  return (await asking(client, taskQueue)).some(({ deploymentOptions }) => !deploymentOptions?.deploymentName);
}

async function asking(client: Client, taskQueue: string) {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOWS,
  });
  const since = Date.now() - ASKS_WITHIN_MS;
  return (pollers ?? []).filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > since);
}
