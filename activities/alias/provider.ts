import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { aliases } from './contract.js';

/** Sends the calls to the resource host, which can repeat each of them. */
export function aliasProvider(host: HostClient): ResourceImplementation<typeof aliases> {
  return {
    reserve: ({ name }, context) => host.request('PUT', ['aliases', name], undefined, context),
    point: ({ name, application }, context) =>
      host.request('PUT', ['aliases', name, 'target'], { application }, context),
    inspect: ({ name }, context) => host.request('GET', ['aliases', name], undefined, context),
    route: ({ name, database, application }, context) =>
      host.request('PUT', ['aliases', name, 'routes', database], { application }, context),
    unroute: ({ name, application }, context) =>
      host.request('DELETE', ['aliases', name, 'routes', application], undefined, context),
    protect: ({ name, rules }, context) => host.request('PUT', ['aliases', name, 'firewall'], { rules }, context),
    remove: ({ name }, context) => host.request('DELETE', ['aliases', name], undefined, context),
  };
}
