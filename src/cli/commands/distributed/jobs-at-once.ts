import { MOST_ACTIVITIES } from '../../../definition/limits.js';
import { wholeNumberTo } from '../../whole-number.js';

/** Parses a number of jobs. @throws InvalidArgumentError */
export const jobsAtOnce = wholeNumberTo(MOST_ACTIVITIES);
