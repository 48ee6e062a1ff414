import { MOST_ACTIVITIES } from '../../../protocol/most-activities.js';
import { wholeNumberTo } from '../../whole-number.js';

/** Parses a number of jobs. @throws InvalidArgumentError */
export const jobsAtOnce = wholeNumberTo(MOST_ACTIVITIES);
