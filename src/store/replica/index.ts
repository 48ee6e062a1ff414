/* A replica of the store: PostgreSQL's logical replication of the first one, set up, watched, compared and promoted. A6 */
export { Side } from './side.js';
export type { Replica } from './replica.js';
export { ReplicaError, SideAway } from './replica-error.js';
export { followReplica } from './follow.js';
export { lookAtReplica, readReplicas, type ReplicaStatus } from './status.js';
export { verifyReplica, type Verification } from './verify.js';
export { promoteReplica, type Promoted } from './promote.js';
export { dropReplica, type Dropped } from './drop.js';
