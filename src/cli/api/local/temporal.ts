import { Client, type Connection } from '@temporalio/client';
import { executionLink } from '../../../client/execution-link.js';
import { findService, type ServiceLocation } from '../../../stack/service.js';
import { connect, connectWhenAsked } from '../../../temporal/connection.js';
import { messageOf } from '../../../protocol/message-of.js';
import { Unreachable } from '../../unreachable.js';
import type { Needs } from '../needs.js';

/** The Temporal service of a command. */
export interface OpenTemporal {
  readonly client: Client;
  /** The address of a workflow in Temporal's UI, or its id where no UI is known. */
  link(workflowId: string): string;
  /** The address in Temporal's UI, where a UI is known. */
  readonly execution: ((workflowId: string) => string) | undefined;
  close(): Promise<void>;
}

/**
 * The service that the standard configuration names, or that of the running stack.
 * @throws Unreachable
 */
export async function openTemporal(needs: Needs): Promise<OpenTemporal> {
  if (needs === 'nothing' || needs === 'store') return opened(connectWhenAsked(), 'default', undefined);
  if (needs === 'store first') {
    const found = await findService().catch(() => undefined);
    return opened(connectWhenAsked(found?.connectionOptions), found?.namespace ?? 'default', found?.uiUrl);
  }
  const location = await findService().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  return opened(await connected(location, needs), location.namespace, location.uiUrl);
}

async function connected({ connectionOptions }: ServiceLocation, needs: Needs): Promise<Connection> {
  if (needs === 'either') return connectWhenAsked(connectionOptions);
  return connect(connectionOptions).catch((thrown: unknown) => {
    throw new Unreachable(`${messageOf(thrown)} 'reeve doctor' looks for the cause.`);
  });
}

function opened(connection: Connection, namespace: string, uiUrl: string | undefined): OpenTemporal {
  const client = new Client({ connection, namespace });
  const link = (id: string) => executionLink(uiUrl, namespace, id);
  return { client, link, execution: uiUrl === undefined ? undefined : link, close: () => connection.close() };
}
