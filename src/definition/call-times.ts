import { parseDuration, toMilliseconds, type Duration } from './duration.js';

/** The times that a call declares. */
interface CallTimes {
  readonly timeout?: Duration;
  readonly heartbeat?: Duration;
  readonly within?: Duration;
}

const TIMEOUT_MS = 60_000;
const HEARTBEAT_MS = 10_000;

/** The longest time of one execution of a call, in milliseconds. No default is shorter than the declared heartbeat. */
export function timeoutOf({ timeout, heartbeat }: CallTimes): number {
  if (timeout !== undefined) return toMilliseconds(timeout);
  return Math.max(TIMEOUT_MS, heartbeat === undefined ? 0 : toMilliseconds(heartbeat));
}

/** For how long a worker may be silent, in milliseconds. */
export function heartbeatOf({ heartbeat }: Pick<CallTimes, 'heartbeat'> = {}): number {
  return heartbeat === undefined ? HEARTBEAT_MS : toMilliseconds(heartbeat);
}

/** The longest time of an execution that no declaration sets, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = TIMEOUT_MS;

/** Tells what is wrong with the times of a call, and what to do; nothing where they are right. */
export function timesProblem(shape: CallTimes): string | undefined {
  for (const name of ['timeout', 'heartbeat', 'within'] as const) {
    const value = shape[name];
    if (value !== undefined && !((parseDuration(value) ?? 0) >= 1)) {
      return `declares ${name}: '${value}', which is no length of time. Write milliseconds, or '30s', '5m', '2h'`;
    }
  }
  const { timeout, heartbeat } = shape;
  if (timeout === undefined || heartbeat === undefined || toMilliseconds(heartbeat) <= toMilliseconds(timeout)) {
    return undefined;
  }
  return `may be silent for ${heartbeat}, and takes ${timeout} at most. Write a 'heartbeat' that is shorter than its 'timeout'`;
}
