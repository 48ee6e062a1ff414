import type { Client, Connection } from '@temporalio/client';
import { executionLink } from '../../../client/execution-link.js';
import { findService, type ServiceLocation } from '../../../stack/service.js';
import { UNENCRYPTED, type PayloadSettings } from '../../../secrecy/payload-settings.js';
import { findPayloadSettings } from '../../../stack/payload-keys.js';
import { connect, connectWhenAsked } from '../../../temporal/connection.js';
import { temporalClient } from '../../../temporal/temporal-client.js';
import { messageOf } from '../../../definition/thrown.js';
import { Unreachable } from '../../unreachable.js';
import type { Needs } from '../needs.js';

/** The Temporal service of a command. */
export interface OpenTemporal {
  readonly client: Client;
  /** The address of a workflow in Temporal's UI, or its id where no UI is known. */
  link(workflowId: string): string;
  /** The address in Temporal's UI, where a UI is known. */
  readonly execution: ((workflowId: string) => string) | undefined;
  /** How payloads are encrypted. Q5 */
  readonly payloads: PayloadSettings;
  close(): Promise<void>;
}

/**
 * The service that the standard configuration names, or that of the running stack.
 * @throws Unreachable
 */
export async function openTemporal(needs: Needs): Promise<OpenTemporal> {
  if (needs === 'nothing' || needs === 'store')
    return opened(connectWhenAsked(), { namespace: 'default', payloads: UNENCRYPTED });
  if (needs === 'store first') {
    const found = await findService().catch(() => undefined);
    const location = found ?? { namespace: 'default', payloads: findPayloadSettings() };
    return opened(connectWhenAsked(found?.connectionOptions), location);
  }
  const location = await findService().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  return opened(await connected(location, needs), location);
}

async function connected({ connectionOptions }: ServiceLocation, needs: Needs): Promise<Connection> {
  if (needs === 'either') return connectWhenAsked(connectionOptions);
  return connect(connectionOptions).catch((thrown: unknown) => {
    throw new Unreachable(`${messageOf(thrown)} Run 'reeve doctor' to find the cause.`);
  });
}

function opened(
  connection: Connection,
  { namespace, payloads, uiUrl }: Pick<ServiceLocation, 'namespace' | 'payloads' | 'uiUrl'>,
): OpenTemporal {
  const client = temporalClient({ connection, namespace, payloads });
  const link = (id: string) => executionLink(uiUrl, namespace, id);
  return { client, link, payloads, execution: uiUrl === undefined ? undefined : link, close: () => connection.close() };
}
