import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { databases } from './contract.js';

/** Sends the calls to the resource host, which can repeat each of them. */
export function databaseProvider(host: HostClient): ResourceImplementation<typeof databases> {
  return {
    createInstance: ({ application, ...placed }, context) =>
      host.request('PUT', ['instances', application], placed, context),
    dropInstance: ({ application }, context) => host.request('DELETE', ['instances', application], undefined, context),
    fenceInstance: ({ application }, context) =>
      host.request('PUT', ['instances', application, 'fence'], undefined, context),
    releaseInstance: ({ application }, context) =>
      host.request('DELETE', ['instances', application, 'fence'], undefined, context),
    createStandby: ({ application, ...placed }, context) =>
      host.request('PUT', ['instances', application, 'standby'], placed, context),
    inspectStandby: ({ application }, context) =>
      host.request('GET', ['instances', application, 'standby'], undefined, context),
    promoteStandby: ({ application, ...terms }, context) =>
      host.request('PUT', ['instances', application, 'promotion'], terms, context),
    createDatabase: ({ application, database }, context) =>
      host.request('PUT', ['instances', application, 'databases', database], undefined, context),
    configureMaster: ({ application, database, administrator: user, server, insteadOf }, context) =>
      host.request('PUT', ['instances', application, 'administrators', database], { user, server, insteadOf }, context),
    scaleDatabase: ({ application, database, serviceObjective }, context) =>
      host.request('PUT', ['instances', application, 'objectives', database], { serviceObjective }, context),
    renameDatabase: ({ application, database, name }, context) =>
      host.request('PUT', ['instances', application, 'names', database], { name }, context),
    dropDatabase: ({ application, database, administrator }, context) =>
      host.request('DELETE', ['instances', application, 'databases', database], { user: administrator }, context),
    forgetAdministrator: ({ server }, context) =>
      host.request('DELETE', ['administrators', server], undefined, context),
  };
}
