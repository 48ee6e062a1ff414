import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { databases } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function databaseProvider(host: HostClient): ResourceImplementation<typeof databases> {
  return {
    createInstance: ({ application, ...placed }, { signal }) =>
      host.request('PUT', ['instances', application], placed, signal),
    dropInstance: ({ application }, { signal }) =>
      host.request('DELETE', ['instances', application], undefined, signal),
    fenceInstance: ({ application }, { signal }) =>
      host.request('PUT', ['instances', application, 'fence'], undefined, signal),
    releaseInstance: ({ application }, { signal }) =>
      host.request('DELETE', ['instances', application, 'fence'], undefined, signal),
    createStandby: ({ application, ...placed }, { signal }) =>
      host.request('PUT', ['instances', application, 'standby'], placed, signal),
    inspectStandby: ({ application }, { signal }) =>
      host.request('GET', ['instances', application, 'standby'], undefined, signal),
    promoteStandby: ({ application, ...terms }, { signal }) =>
      host.request('PUT', ['instances', application, 'promotion'], terms, signal),
    createDatabase: ({ application, database }, { signal }) =>
      host.request('PUT', ['instances', application, 'databases', database], undefined, signal),
    configureMaster: ({ application, database, administrator: user, server, insteadOf }, { signal }) =>
      host.request('PUT', ['instances', application, 'administrators', database], { user, server, insteadOf }, signal),
    scaleDatabase: ({ application, database, serviceObjective }, { signal }) =>
      host.request('PUT', ['instances', application, 'objectives', database], { serviceObjective }, signal),
    renameDatabase: ({ application, database, name }, { signal }) =>
      host.request('PUT', ['instances', application, 'names', database], { name }, signal),
    dropDatabase: ({ application, database, administrator }, { signal }) =>
      host.request('DELETE', ['instances', application, 'databases', database], { user: administrator }, signal),
    forgetAdministrator: ({ server }, { signal }) =>
      host.request('DELETE', ['administrators', server], undefined, signal),
  };
}
