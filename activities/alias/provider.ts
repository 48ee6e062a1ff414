import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { aliases } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function aliasProvider(host: HostClient): ResourceImplementation<typeof aliases> {
  return {
    reserve: ({ name }, { signal }) => host.request('PUT', ['aliases', name], undefined, signal),
    point: ({ name, application }, { signal }) =>
      host.request('PUT', ['aliases', name, 'target'], { application }, signal),
    inspect: ({ name }, { signal }) => host.request('GET', ['aliases', name], undefined, signal),
    route: ({ name, database, application }, { signal }) =>
      host.request('PUT', ['aliases', name, 'routes', database], { application }, signal),
    unroute: ({ name, application }, { signal }) =>
      host.request('DELETE', ['aliases', name, 'routes', application], undefined, signal),
    protect: ({ name, rules }, { signal }) => host.request('PUT', ['aliases', name, 'firewall'], { rules }, signal),
    remove: ({ name }, { signal }) => host.request('DELETE', ['aliases', name], undefined, signal),
  };
}
