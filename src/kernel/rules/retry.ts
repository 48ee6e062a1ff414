import { toMilliseconds } from '../../definition/duration.js';
import type { Retry } from '../../definition/state.js';

const DEFAULTS = { delay: '1s', growth: 2, maxDelay: '1m' } as const;

/** Milliseconds to wait after the given number of executions, growing with each. S3.5 */
export function retryDelay(retry: Retry | undefined, executions: number): number {
  const { delay = DEFAULTS.delay, growth = DEFAULTS.growth, maxDelay = DEFAULTS.maxDelay } = retry ?? {};
  return Math.min(toMilliseconds(delay) * growth ** (executions - 1), toMilliseconds(maxDelay));
}
