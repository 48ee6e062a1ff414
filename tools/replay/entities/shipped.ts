import { alias } from '../../../workflows/alias/actions.js';
import { databaseService } from '../../../workflows/database-service/actions.js';
import { dnsRecord } from '../../../workflows/dns-record/actions.js';
import { logicalDatabase } from '../../../workflows/logical-database/actions.js';
import { logicalServer } from '../../../workflows/logical-server/actions.js';
import { sqlApplication } from '../../../workflows/sql-application/actions.js';
import { outside, OWN_KINDS } from '../../simulation/components/kinds.js';

/** The entities of the reference control plane. */
export const shipped = [logicalServer, logicalDatabase, sqlApplication, databaseService, alias, dnsRecord];

/** Entities go on in a new run after a very short rest, so that it happens all the time. */
export const HASTY = {
  restAfter: '4s',
  deployments: { components: OWN_KINDS, resources: [outside], pingEvery: '2s' },
} as const;
