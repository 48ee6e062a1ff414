import { retryTimes } from '../../definition/retry-times.js';
import type { Retry } from '../../definition/state.js';

/** Milliseconds to wait after the given number of executions, growing with each. S3.5 */
export function retryDelay(retry: Retry | undefined, executions: number): number {
  const { delayMs, growth, maxDelayMs } = retryTimes(retry);
  // After many executions the power is infinite, and no time at all times infinity is no number.
  return delayMs === 0 ? 0 : Math.min(delayMs * growth ** (executions - 1), maxDelayMs);
}
