import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';

/**
 * How the last life of a key ended; nothing while it lives, when there was none, and when it left nothing, since an
 * operator terminated it or the service keeps closed runs no longer than that (the namespace's retention, which so
 * limits how long request ids survive a deletion). S1.3
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

/** With what a run has completed. Named by its run, since the next life may have begun meanwhile. */
export function finalSnapshot(client: Client, ref: EntityRef, runId: string): Promise<Snapshot> {
  const handle = client.workflow.getHandle(entityId(ref), runId, { followRuns: false });
  return handle.result() as Promise<Snapshot>;
}
