import { findProject } from './definitions.js';
import type { Client } from '@temporalio/client';
import type { PayloadSettings } from '../secrecy/payload-settings.js';
import type { AnyEntity } from '../definition/entity.js';

/** All that is needed by a command that works on the workflows themselves. */
export interface Session {
  readonly client: Client;
  readonly entities: readonly AnyEntity[];
  /** How payloads are encrypted. Q5 */
  readonly payloads: PayloadSettings;
  /** The task queue of the project. */
  readonly taskQueue: string;
  /** The address of a workflow in Temporal's UI, or its id where no UI is known. */
  link(workflowId: string): string;
}

/** Works on the Temporal service, and closes the connection. @throws Unreachable */
export async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const project = await findProject();
  const entities = await project.entities();
  const taskQueue = project.taskQueue();
  // Commands that work elsewhere do not wait until the code for Temporal is loaded.
  const { openTemporal } = await import('./api/local/temporal.js');
  const { client, link, payloads, close } = await openTemporal('workflows');
  try {
    return await work({ client, entities, taskQueue, link, payloads });
  } finally {
    await close();
  }
}
