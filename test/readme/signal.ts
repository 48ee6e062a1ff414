import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';

/** Raises an event for a user with only Temporal's client, and waits until everything that it causes has settled. */
export async function signal({ workflow }: Client, entity: string, event: string, request: string, roles: string[]) {
  const handle = workflow.getHandle(entity); // 'Website/blog'
  await handle.signal(event, {}, { request, actor: { subject: 'ada', tenant: '*', roles } });
  const { state, dropped } = await handle.query<Snapshot>('reeve_snapshot'); // it sees what the signal has done
  if (dropped?.request === request) throw new Error(`${entity} stays ${state}: ${dropped.reason}`);
  for (let tries = 1; ; tries++) {
    try {
      return ((await workflow.result(`op/${request}`)) as { outcome: string }).outcome; // 'success'
    } catch (thrown) {
      if (!(thrown instanceof WorkflowNotFoundError) || tries === 100) throw thrown;
      await delay(100); // it appears a moment after the signal
    }
  }
}

type Snapshot = { readonly state: string; readonly dropped?: { readonly request?: string; readonly reason: string } };
