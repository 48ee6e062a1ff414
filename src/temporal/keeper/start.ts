import type { Client } from '@temporalio/client';
import { KEEPER_TYPE, keeperWorkflowId, WAKE_SIGNAL } from '../../protocol/names.js';

/** Starts the keeper of a task queue, unless it runs. */
export async function startKeeper(client: Client, taskQueue: string): Promise<void> {
  await client.workflow.start(KEEPER_TYPE, { ...keeperOf(taskQueue), workflowIdConflictPolicy: 'USE_EXISTING' });
}

/** Wakes the keeper of a task queue, so that it asks at once: in a new run, on the newest build. Starts it where it does not run. */
export async function wakeKeeper(client: Client, taskQueue: string): Promise<void> {
  await client.workflow.signalWithStart(KEEPER_TYPE, { ...keeperOf(taskQueue), signal: WAKE_SIGNAL, signalArgs: [] });
}

function keeperOf(taskQueue: string) {
  return {
    workflowId: keeperWorkflowId(taskQueue),
    taskQueue,
    args: [],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    staticSummary: 'finds entities that an operator terminated, and reports them to their watchers',
  };
}
