import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { aliases } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function aliasProvider(host: HostClient): ResourceImplementation<typeof aliases> {
  return {
    reserve: ({ name }, { signal }) => host.request('PUT', ['aliases', name], {}, signal),
    point: ({ name, target }, { signal }) => host.request('PUT', ['aliases', name], { target }, signal),
    remove: ({ name }, { signal }) => host.request('DELETE', ['aliases', name], undefined, signal),
  };
}
