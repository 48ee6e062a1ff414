import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { HostClient } from '../host/client.js';
import type { dataClusters } from './contract.js';

/** Carries the calls to the resource host, where each can be repeated. */
export function dataClusterProvider(host: HostClient): ResourceImplementation<typeof dataClusters> {
  return {
    list: (_, context) => host.request('GET', ['data-clusters'], undefined, context),
    askForRoom: ({ dataCluster, server }, context) =>
      host.request('GET', ['rooms', server, dataCluster], undefined, context),
    takeRoom: ({ dataCluster, server }, context) =>
      host.request('PUT', ['rooms', server, dataCluster], undefined, context),
    giveRoomBack: ({ server }, context) => host.request('DELETE', ['rooms', server], undefined, context),
  };
}
