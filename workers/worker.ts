import { controlPlaneResources } from '../activities/index.js';
import { HostClient } from '../activities/host/client.js';
import { Sessions } from '../activities/tables/sessions.js';
import type { ProcessContext, WorkerParts } from '../src/project/index.js';
import { AliasWatch } from './alias-watch.js';
import { EntityPlaces } from './entity-places.js';
import { servedTables } from './served-tables.js';

/** What the reference control plane brings to a worker: the resources of its host, tables, and the watch over aliases. */
export default function worker({ home, reeve, log }: ProcessContext): WorkerParts {
  const host = new HostClient(home);
  const sessions = new Sessions(host);
  const watch = new AliasWatch({ host, reeve, log });
  return {
    resources: controlPlaneResources(home),
    distributed: servedTables(new EntityPlaces(reeve), sessions),
    async close() {
      await watch.stop();
      await sessions.close();
    },
  };
}
