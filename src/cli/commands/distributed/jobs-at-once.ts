import { MOST_AT_ONCE } from '../../../protocol/distributed-names.js';
import { wholeNumberTo } from '../../whole-number.js';

/** Parses a number of jobs. @throws InvalidArgumentError */
export const jobsAtOnce = wholeNumberTo(MOST_AT_ONCE);
