import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { names } from './contract.js';

/** Sends the calls to the resource host, which can repeat each of them. */
export function nameProvider(host: HostClient): ResourceImplementation<typeof names> {
  return {
    publish: ({ name, address, port }, context) => host.request('PUT', ['names', name], { address, port }, context),
    withdraw: ({ name }, context) => host.request('DELETE', ['names', name], undefined, context),
  };
}
