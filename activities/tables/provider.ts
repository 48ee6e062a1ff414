import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { tables } from './contract.js';

/** Sends the calls to the resource host, which can repeat each of them. */
export function tableProvider(host: HostClient): ResourceImplementation<typeof tables> {
  return {
    createPart: ({ application, table, ...part }, context) =>
      host.request('PUT', ['instances', application, 'tables', table], part, context),
    dropPart: ({ application, table, ...part }, context) =>
      host.request('DELETE', ['instances', application, 'tables', table], part, context),
  };
}
