import { HostClient } from '../activities/host/client.js';
import { ClusterLedger } from '../activities/tables/cluster-ledger.js';
import { tableLogics } from '../activities/tables/logics.js';
import { Sessions } from '../activities/tables/sessions.js';
import type { ExecutorParts, ProcessContext } from '../src/project/index.js';
import { EntityPlaces } from './entity-places.js';

/** Where the jobs of operations on tables are done: in the data clusters of the resource host. I7 */
export default async function executor({ dataDirectory, reeve }: ProcessContext): Promise<ExecutorParts> {
  const host = new HostClient(dataDirectory);
  const { names } = await host.request<{ readonly names: readonly string[] }>('GET', ['data-clusters']);
  const [places, sessions] = [new EntityPlaces(reeve), new Sessions(host)];
  const ledgers: ClusterLedger[] = [];
  return {
    places: names,
    operations: tableLogics(places, sessions),
    ledger(cluster) {
      const ledger = new ClusterLedger(cluster, places, sessions);
      ledgers.push(ledger);
      return ledger;
    },
    async close() {
      await Promise.all([...ledgers.map((ledger) => ledger.close()), sessions.close()]);
    },
  };
}
