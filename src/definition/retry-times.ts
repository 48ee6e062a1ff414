import { parseDuration } from './duration.js';
import type { Retry } from './state.js';

const DELAY_MS = 1_000;
const GROWTH = 2;
const MAX_DELAY_MS = 60_000;

interface RetryTimes {
  readonly delayMs: number;
  readonly growth: number;
  readonly maxDelayMs: number;
}

/** The delays of a retry, with their defaults. No default shortens a declared delay. S3.5 */
export function retryTimes({ delay, growth = GROWTH, maxDelay }: Retry = {}): RetryTimes {
  const delayMs = (delay === undefined ? undefined : parseDuration(delay)) ?? DELAY_MS;
  const declaredMs = maxDelay === undefined ? undefined : parseDuration(maxDelay);
  return { delayMs, growth, maxDelayMs: declaredMs ?? Math.max(MAX_DELAY_MS, delayMs) };
}
