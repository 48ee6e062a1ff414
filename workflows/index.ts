import { entityWorkflowsWith } from '../src/temporal/workflows.js';
import { alias } from './alias/actions.js';
import { controlPlaneComponents } from './components.js';
import { databaseService } from './database-service/actions.js';
import { dnsRecord } from './dns-record/actions.js';
import { logicalDatabase } from './logical-database/actions.js';
import { logicalServer } from './logical-server/actions.js';
import { sqlApplication } from './sql-application/actions.js';

/** The workflows that the workers of the reference control plane run. */
export default entityWorkflowsWith(
  { deployments: { components: controlPlaneComponents } },
  ...[logicalServer, logicalDatabase, sqlApplication, databaseService, alias, dnsRecord],
);
