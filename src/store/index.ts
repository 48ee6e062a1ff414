/* The store: PostgreSQL that keeps what happened, for people and SQL. S5 */
export { createDatabase } from './create-database.js';
export { rebuild, type Rebuilt } from './rebuild.js';
export { openStore, type Store, type StoreOptions } from './store.js';
export { countActions } from './queries/action-counts.js';
export {
  listDistributed,
  openDistributed,
  readDistributed,
  type DistributedPage,
  type DistributedRow,
} from './queries/distributed-operations.js';
export { readDeployment, type DeploymentDetails } from './queries/deployment.js';
export { countLive, countRaised, liveContents, type LiveContents } from './queries/live-entities.js';
export { readEntities, readEntity } from './queries/entity.js';
export { readEntityVersion, type EntityVersion } from './queries/entity-version.js';
export { readEventOrigin, type EventOrigin } from './queries/event-origin.js';
export { readOperationPlace } from './queries/operation-place.js';
export { readSentRequests, type SentRequest } from './queries/sent-requests.js';
export { readOperation, type EventDetails, type OperationDetails } from './queries/operation.js';
export { secretProperties, type SecretProperties } from './secrets/secret-properties.js';
export { readerLogin } from './reader-role.js';
export { readingFailure, type ReadingFailure } from './reading-failure.js';
export type { StoreReader } from './reader.js';
export type { AuditEntry } from './rows/audit-row.js';
export type { RejectedEvent } from './rows/rejection-row.js';
export { retentionFrom, type Retention } from './environment.js';
export { readListeners, type Listener } from './feed/listeners.js';
export { POSITION, readPosition, writePosition, type Position } from './feed/position.js';
export {
  readChanges,
  readFeed,
  type ChangeRow,
  type ChangesQuestion,
  type ChangesRead,
  type FeedState,
} from './feed/read-changes.js';
export {
  ALL_VIEWS,
  CALL_CALLERS,
  CANCEL_CALLERS,
  ERROR_TEXTS,
  EVENT_CALLERS,
  EVENT_RESULTS,
  EXECUTIONS,
  OWNED_TRANSITIONS,
  REPEATED_TRANSITIONS,
  type StoreViews,
} from './views/index.js';
export type { Column, Columns, Kind } from './views/column.js';
export { OPERATION_LEVEL } from './views/levels.js';
export { summaryOf, withDimensions, type View } from './views/view.js';
export { StoreAway } from './writing/availability.js';
export type { StoreWriter, WriterMeasures } from './writing/writer.js';
