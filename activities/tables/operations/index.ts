import type { AnyDistributedOperation } from '../../../src/distributed/index.js';
import { buildIndex } from './build-index.js';
import { validate } from './validate.js';

/** The operations over partitions of the reference control plane. I7 */
export const tableOperations: readonly AnyDistributedOperation[] = [buildIndex, validate];
