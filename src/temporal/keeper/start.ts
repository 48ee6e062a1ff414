import type { Client } from '@temporalio/client';
import { KEEPER_TYPE, keeperWorkflowId } from '../../protocol/names.js';

/** Starts the keeper of a task queue, unless it runs. */
export async function startKeeper(client: Client, taskQueue: string): Promise<void> {
  await client.workflow.start(KEEPER_TYPE, {
    workflowId: keeperWorkflowId(taskQueue),
    taskQueue,
    args: [],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'finds entities that were ended by hand, and tells those who watch them',
  });
}
