import { entityWorkflows } from '../src/temporal/workflows.js';
import { alias } from './alias/actions.js';
import { databaseService } from './database-service/actions.js';
import { dnsRecord } from './dns-record/actions.js';
import { logicalDatabase } from './logical-database/actions.js';
import { logicalServer } from './logical-server/actions.js';
import { sqlApplication } from './sql-application/actions.js';

/** The workflows that the workers of the reference control plane run. */
export default entityWorkflows(logicalServer, logicalDatabase, sqlApplication, databaseService, alias, dnsRecord);
