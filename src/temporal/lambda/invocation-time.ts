/*
 * How the time of one invocation of AWS Lambda is used. Q3
 *
 * invocation-time.1. From its begin to its end an invocation has: time to connect, time to work, time for running calls to end (the grace), time
 *     to hand back those that do not end, and time to write what was told to the store. The last ones are kept free, so that the
 *     platform never cuts off a worker that follows its clock.
 */

/** How long an invocation may take to connect and to load the bundle; it is not taken from the end. */
export const CONNECTS_WITHIN_MS = 6_000;
/** How long running calls have to end after the worker takes no more work. */
export const GRACE_MS = 5_000;
/** How long after the grace a worker ends in any case. What runs then is handed back: its calls are told, and are repeated elsewhere. */
export const FORCED_AFTER_MS = 2_000;
/** How long the store has to take what was told. */
export const FLUSH_MS = 4_000;

/** The time that an invocation keeps free at its end, in milliseconds. */
const ENDING_MS = GRACE_MS + FORCED_AFTER_MS + FLUSH_MS;
/** The time that an invocation keeps free of work, in milliseconds. */
export const KEPT_FREE_MS = CONNECTS_WITHIN_MS + ENDING_MS;
/** The time that an invocation must have for work, in milliseconds: less is not worth its start. */
export const LEAST_WORK_MS = 10_000;

/** How long an invocation works for sure that has so many milliseconds in all. */
export function workTime(invocationMs: number): number {
  return invocationMs - KEPT_FREE_MS;
}

/** How long a worker that is ready works in an invocation that has so many milliseconds left. */
export function workLeft(remainingMs: number): number {
  return Math.max(0, remainingMs - ENDING_MS);
}
