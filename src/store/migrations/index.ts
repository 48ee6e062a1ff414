import type { Migration } from 'kysely';
import { tables } from './0001-tables.js';
import { repeatedTransitions } from './0003-repeated-transitions.js';
import { feed } from './0004-feed.js';
import { calls } from './0005-calls.js';
import { deployments } from './0006-deployments.js';
import { waits } from './0007-waits.js';
import { schemas } from './0008-schemas.js';
import { changes } from './0009-changes.js';
import { resumptions } from './0010-resumptions.js';
import { errorTexts } from './0011-error-texts.js';
import { operationPlaces } from './0012-operation-places.js';
import { settledOperations } from './0013-settled-operations.js';
import { sentRequests } from './0014-sent-requests.js';
import { distributedOperations } from './0015-distributed-operations.js';
import { needs } from './0016-needs.js';
import { undeployed } from './0017-undeployed.js';
import { eventCallers } from './0018-event-callers.js';
import { cancelRequests } from './0019-cancel-requests.js';
import { callers } from './0020-callers.js';

/**
 * The migrations of the tables, in their order. A migration that was released is never changed. Replicas of the store run them too,
 * while their rows come from the store. So a migration changes rows by what they hold, and not by chance or a clock. A6
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
  '0003-repeated-transitions': repeatedTransitions,
  '0004-feed': feed,
  '0005-calls': calls,
  '0006-deployments': deployments,
  '0007-waits': waits,
  '0008-schemas': schemas,
  '0009-changes': changes,
  '0010-resumptions': resumptions,
  '0011-error-texts': errorTexts,
  '0012-operation-places': operationPlaces,
  '0013-settled-operations': settledOperations,
  '0014-sent-requests': sentRequests,
  '0015-distributed-operations': distributedOperations,
  '0016-needs': needs,
  '0017-undeployed': undeployed,
  '0018-event-callers': eventCallers,
  '0019-cancel-requests': cancelRequests,
  '0020-callers': callers,
};
