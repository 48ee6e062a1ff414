import { wholeNumberTo } from '../../whole-number.js';

/** Parses a number of jobs. @throws InvalidArgumentError */
export const jobsAtOnce = wholeNumberTo(10_000);
