import type { Logger } from 'pino';
import type { ReeveClient } from '../client/client.js';
import type { AuditTrail } from './audit-trail.js';
import type { ChangeStreams } from './change-streams.js';
import type { EntityModule } from './module.js';
import type { OperationPlaces } from './operation-places.js';
import type { ServiceStore } from './service-store.js';
import type { ServiceSettings } from './settings.js';

/** All that the routes work with. */
export interface ServiceParts {
  readonly reeve: ReeveClient;
  readonly modules: readonly EntityModule[];
  readonly settings: ServiceSettings;
  readonly audit: AuditTrail;
  readonly store: ServiceStore | undefined;
  /** Where operations were opened. */
  readonly places: OperationPlaces;
  readonly streams: ChangeStreams;
  /** The address of a workflow in Temporal's UI; absent where no UI is known. S5.6 */
  readonly execution: ((workflowId: string) => string) | undefined;
  readonly log: Logger;
}
