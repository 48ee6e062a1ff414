import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { ReeveClient } from '../client/client.js';
import { dataDirectoryFrom } from '../stack/data-directory.js';
import type { ServiceLocation } from '../stack/service.js';
import { connect } from '../temporal/connection.js';
import { temporalClient } from '../temporal/temporal-client.js';
import type { ProcessContext } from './hooks.js';
import type { Project } from './project.js';

export interface OpenContext extends ProcessContext {
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Makes what the project's own code in a process is given, with a connection of its own. */
export async function openContext(
  project: Project,
  { connectionOptions, namespace, payloads }: ServiceLocation,
  log: Logger,
): Promise<OpenContext> {
  const { entities, components, distributed } = await project.declared();
  const connection = await connect(connectionOptions);
  const client = temporalClient({ connection, namespace, payloads });
  return {
    dataDirectory: dataDirectoryFrom(),
    reeve: new ReeveClient({ client, entities, components, distributed, taskQueue: project.taskQueue() }),
    log,
    connection,
    close: () => connection.close(),
  };
}
