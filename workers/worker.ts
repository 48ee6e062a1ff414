import { controlPlaneResources } from '../activities/index.js';
import { HostClient } from '../activities/host/client.js';
import { Sessions } from '../activities/tables/sessions.js';
import type { ProcessContext, WorkerParts } from '../src/project/index.js';
import { AliasWatch } from './alias-watch.js';
import { EntityPlaces } from './entity-places.js';
import { servedTables } from './served-tables.js';

/** Gives what the reference control plane brings to a worker: the resources of its host, tables, and the watch over aliases. */
export default function worker(context: ProcessContext): WorkerParts {
  const { dataDirectory, reeve, log } = context;
  const { close, ...parts } = serveHost(context);
  const watch = new AliasWatch({ host: new HostClient(dataDirectory), reeve, log });
  return {
    ...parts,
    async close() {
      await watch.stop();
      await close?.();
    },
  };
}

/** The resources of its host, and tables. */
export function serveHost({ dataDirectory, reeve }: ProcessContext): WorkerParts {
  const sessions = new Sessions(new HostClient(dataDirectory));
  return {
    resources: controlPlaneResources(dataDirectory),
    distributed: servedTables(new EntityPlaces(reeve), sessions),
    close: () => sessions.close(),
  };
}
