import { Client } from '@temporalio/client';
import { connect } from '../temporal/connection.js';
import { ReeveClient } from '../client/client.js';
import { executionLink } from '../client/execution-link.js';
import type { AnyEntity } from '../definition/entity.js';
import { findService } from '../stack/service.js';
import { loadDefinitions } from './definitions.js';
import { messageOf } from './message.js';
import { findTaskQueue } from './task-queue.js';
import { Unreachable } from './unreachable.js';

/** What a command works with: the declarations, and a connection that it has to close. */
export interface Session {
  readonly reeve: ReeveClient;
  readonly client: Client;
  readonly entities: readonly AnyEntity[];
  /** The task queue of the project. */
  readonly taskQueue: string;
  /** The address of a workflow in Temporal's UI, or its id where no UI is known. */
  link(workflowId: string): string;
  close(): Promise<void>;
}

/**
 * Connects to the service that the standard configuration names, or to that of the running stack.
 * @throws Unreachable
 */
async function openSession(): Promise<Session> {
  const entities = await loadDefinitions();
  const taskQueue = await findTaskQueue();
  const { connectionOptions, namespace, uiUrl } = await findService().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  const connection = await connect(connectionOptions).catch((thrown: unknown) => {
    throw new Unreachable(
      `The Temporal service at ${connectionOptions.address} cannot be reached: ${messageOf(thrown)}. ` +
        `'reeve doctor' looks for the cause.`,
    );
  });
  const client = new Client({ connection, namespace });
  return {
    reeve: new ReeveClient({ client, entities, taskQueue }),
    client,
    entities,
    taskQueue,
    link: (id) => executionLink(uiUrl, namespace, id),
    close: () => connection.close(),
  };
}

/** Works with a session, and closes it. */
export async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession();
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
