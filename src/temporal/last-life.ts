import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';

/**
 * The last snapshot of a key's last life. There is none while it lives, when there was none, or when it left nothing: an
 * operator has terminated it, or it ended longer ago than the service keeps closed runs. So the retention of the namespace
 * limits how long request ids survive a deletion. S1.3
 */
export async function readLastLife(client: Client, ref: EntityRef): Promise<Snapshot | undefined> {
  try {
    const { status, runId } = await client.workflow.getHandle(entityId(ref)).describe();
    return status.name === 'COMPLETED' ? await finalSnapshot(client, ref, runId) : undefined;
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}

/** The result of a run. The run is named, since the next life may have begun meanwhile. */
export function finalSnapshot(client: Client, ref: EntityRef, runId: string): Promise<Snapshot> {
  const handle = client.workflow.getHandle(entityId(ref), runId, { followRuns: false });
  return handle.result() as Promise<Snapshot>;
}
