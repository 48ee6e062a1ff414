import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { names } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function nameProvider(host: HostClient): ResourceImplementation<typeof names> {
  return {
    publish: ({ name, address, port }, { signal }) => host.request('PUT', ['names', name], { address, port }, signal),
    withdraw: ({ name }, { signal }) => host.request('DELETE', ['names', name], undefined, signal),
  };
}
