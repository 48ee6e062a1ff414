import { entityWorkflowsWith } from '../src/temporal/workflows.js';
import { alias } from './alias/actions.js';
import { controlPlaneComponents } from './components.js';
import { databaseService } from './database-service/actions.js';
import { dnsRecord } from './dns-record/actions.js';
import { logicalDatabase } from './logical-database/actions.js';
import { tableOperations } from '../activities/tables/operations/index.js';
import { logicalServer } from './logical-server/actions.js';
import { partitionedTable } from './partitioned-table/actions.js';
import { sqlApplication } from './sql-application/actions.js';

/** The workflows that the workers of the reference control plane run. */
export default entityWorkflowsWith(
  { deployments: { components: controlPlaneComponents }, distributed: tableOperations },
  ...[logicalServer, logicalDatabase, sqlApplication, databaseService, alias, dnsRecord, partitionedTable],
);
