import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { databases } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function databaseProvider(host: HostClient): ResourceImplementation<typeof databases> {
  return {
    createInstance: ({ application }, { signal }) => host.request('PUT', ['instances', application], undefined, signal),
    locateInstance: ({ application }, { signal }) => host.request('GET', ['instances', application], undefined, signal),
    dropInstance: ({ application }, { signal }) =>
      host.request('DELETE', ['instances', application], undefined, signal),
    createDatabase: ({ application, database }, { signal }) =>
      host.request('PUT', ['instances', application, 'databases', database], undefined, signal),
    configureMaster: ({ application, database, administrator }, { signal }) =>
      host.request('PUT', ['instances', application, 'administrators', database], { user: administrator }, signal),
    dropDatabase: ({ application, database, administrator }, { signal }) =>
      host.request('DELETE', ['instances', application, 'databases', database], { user: administrator }, signal),
  };
}
