import type { Side } from './side.js';

/** The service gives the next task to any worker, with the whole history. */
export async function forget(side: Side, key: string): Promise<void> {
  const { client } = side;
  await client.workflowService.resetStickyTaskQueue({
    namespace: client.options.namespace,
    execution: { workflowId: side.workflowId(key) },
  });
}
