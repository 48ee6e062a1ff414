/* A second store: PostgreSQL's logical replication of the first one, set up, watched, compared and promoted. A6 */
export { Side } from './side.js';
export type { Copy } from './copy.js';
export { CopyError, SideAway } from './copy-error.js';
export { followCopy } from './follow.js';
export { lookAtCopy, readCopies, type CopyStatus } from './status.js';
export { verifyCopy, type Verification } from './verify.js';
export { promoteCopy, type Promoted } from './promote.js';
export { dropCopy, type Dropped } from './drop.js';
