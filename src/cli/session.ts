import { Client, Connection } from '@temporalio/client';
import { ReeveClient } from '../client/client.js';
import { findService } from '../stack/service.js';
import { loadDefinitions } from './definitions.js';

/** What a command works with: the declarations, and a connection that it has to close. */
export interface Session {
  readonly reeve: ReeveClient;
  /** The address of a workflow in Temporal's UI, or its id where no UI is known. */
  link(workflowId: string): string;
  close(): Promise<void>;
}

/** Connects to the service that the standard configuration names, or to that of the running stack. */
export async function openSession(): Promise<Session> {
  const entities = await loadDefinitions();
  const { connectionOptions, namespace, uiUrl } = await findService();
  const connection = await Connection.connect(connectionOptions);
  return {
    reeve: new ReeveClient({ client: new Client({ connection, namespace }), entities }),
    link: (id) => workflowLink(uiUrl, namespace, id),
    close: () => connection.close(),
  };
}

/** Where a person looks at a workflow. */
export function workflowLink(uiUrl: string | undefined, namespace: string, workflowId: string): string {
  return uiUrl ? `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}` : workflowId;
}
