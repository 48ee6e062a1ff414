import { implementConditions } from '../src/temporal/condition-provider.js';
import { implementResource, type ImplementedResource } from '../src/temporal/resources.js';
import { aliases } from './alias/contract.js';
import { aliasProvider } from './alias/provider.js';
import { approvals } from './approvals/contract.js';
import { RequestOutbox } from './approvals/request-outbox.js';
import { approvalProvider } from './approvals/provider.js';
import { dataClusters } from './data-clusters/contract.js';
import { dataClusterProvider } from './data-clusters/provider.js';
import { databases } from './databases/contract.js';
import { databaseProvider } from './databases/provider.js';
import { names } from './dns/contract.js';
import { nameProvider } from './dns/provider.js';
import { HostClient } from './host/client.js';
import { tables } from './tables/contract.js';
import { tableProvider } from './tables/provider.js';

/** The resources of the reference control plane. The resource host of a data directory carries out their calls. */
export function controlPlaneResources(home: string): readonly ImplementedResource[] {
  const host = new HostClient(home);
  return [
    implementResource(databases, databaseProvider(host)),
    implementResource(aliases, aliasProvider(host)),
    implementResource(tables, tableProvider(host)),
    implementResource(names, nameProvider(host)),
    implementResource(dataClusters, dataClusterProvider(host)),
    implementConditions(),
    implementResource(approvals, approvalProvider(new RequestOutbox(home))),
  ];
}
