import { aliases } from '../activities/alias/contract.js';
import { approvals } from '../activities/approvals/contract.js';
import { dataClusters } from '../activities/data-clusters/contract.js';
import { databases } from '../activities/databases/contract.js';
import { names } from '../activities/dns/contract.js';
import { tables } from '../activities/tables/contract.js';
import type { AnyEntity } from '../src/definition/index.js';
import { Alias } from './alias/definition.js';
import { DatabaseService } from './database-service/definition.js';
import { DnsRecord } from './dns-record/definition.js';
import { LogicalDatabase } from './logical-database/definition.js';
import { LogicalServer } from './logical-server/definition.js';
import { PartitionedTable } from './partitioned-table/definition.js';
import { SqlApplication } from './sql-application/definition.js';

/** All entity types of the reference control plane. */
export const controlPlane: readonly AnyEntity[] = [
  LogicalServer,
  LogicalDatabase,
  SqlApplication,
  DatabaseService,
  Alias,
  DnsRecord,
  PartitionedTable,
];

/** The contracts of all resources: the worker's own code brings what serves them. */
export const contracts = [aliases, approvals, dataClusters, databases, names, tables] as const;

/** The module under which the management service serves them. */
export const controlPlaneModule = {
  ...{ name: 'control-plane', version: 1, entities: controlPlane },
  resources: [approvals],
} as const;
