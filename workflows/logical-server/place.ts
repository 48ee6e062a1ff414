import { dataClusters } from '../../activities/data-clusters/contract.js';
import { CallFailed, type Action, type CollectedResult } from '../../src/definition/index.js';
import type { LogicalServer } from './definition.js';

/** For how long the data clusters are asked. */
const ASKED_FOR = '5s';

type Server = typeof LogicalServer;

/** Asks all data clusters for room, and chooses the first that has some. A3 */
export const place: Action<Server, 'place'> = async (server) => {
  const { key, properties } = server;
  const { names } = await server.call(dataClusters.list, {});
  const { answers, results } = await server.collect(
    names.map((dataCluster) => [dataClusters.askForRoom, { dataCluster, server: key }] as const),
    { until: 'first', match: ({ free }) => free > 0, within: ASKED_FOR, none: 'empty' },
  );
  const [first] = answers;
  if (first) {
    properties.dataCluster = names[first.place]!;
    return server.goTo('TakingRoom');
  }
  const said = names.map((name, index) => `${name} ${wordsOf(results[index])}`);
  const error = { code: 'no_capacity', message: `No data cluster has capacity for '${key}': ${said.join('; ')}.` };
  // Those that have not answered may have room, so they are asked again.
  if (results.some(({ status }) => status !== 'answered')) throw Object.assign(new Error(error.message), error);
  return server.goTo('Deleted', { error });
};

/** It is a state of its own, so that no attempt takes room in another data cluster by the same idempotency key. S3.4 */
export const takeRoom: Action<Server, 'takeRoom'> = async (server) => {
  const { key, properties } = server;
  const { dataCluster } = properties;
  if (dataCluster === undefined) throw new Error('The server has no data cluster.');
  try {
    await server.call(dataClusters.takeRoom, { dataCluster, server: key });
    return server.goTo('Creating');
  } catch (thrown) {
    if (!(thrown instanceof CallFailed) || thrown.code !== 'no_capacity') throw thrown;
    properties.dataCluster = undefined;
    return server.goTo('Placing');
  }
};

function wordsOf(result: CollectedResult | undefined): string {
  if (result?.status !== 'failed') return 'has none';
  return result.code === 'call_timed_out' ? 'has not answered in time' : `has failed (${result.message})`;
}
