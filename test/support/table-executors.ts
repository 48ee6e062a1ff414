import { HostClient } from '../../activities/host/client.js';
import { ClusterLedger } from '../../activities/tables/cluster-ledger.js';
import { tableLogics } from '../../activities/tables/logics.js';
import { Sessions } from '../../activities/tables/sessions.js';
import { Executor } from '../../src/temporal/distributed/executor.js';
import { CONTROL_PLANE_QUEUE, type TestControlPlane } from './control-plane.js';

/** Executors for data clusters of a control plane, in this process. Gives how to stop them. */
export function startTableExecutors(
  { home, places, environment }: TestControlPlane,
  clusters: readonly string[],
): () => Promise<void> {
  const sessions = new Sessions(new HostClient(home));
  const started = clusters.map((place) => {
    const ledger = new ClusterLedger(place, places, sessions);
    const executor = new Executor({
      clientConnection: environment.connection,
      ...{ connection: environment.nativeConnection, namespace: 'default', taskQueue: CONTROL_PLANE_QUEUE },
      ...{ place, operations: tableLogics(places, sessions), ledger },
    });
    return { executor, ledger, running: executor.run() };
  });
  return async () => {
    for (const { executor, running, ledger } of started) {
      executor.shutdown();
      await running;
      await ledger.close();
    }
    await sessions.close();
  };
}
