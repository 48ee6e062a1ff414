import { timeoutOf } from '../../definition/call-times.js';
import { callsOf, modeOf, type Call, type Resource } from '../../definition/resource.js';
import { GRACE_MS, KEPT_FREE_MS, LEAST_WORK_MS, workTime } from './invocation-time.js';

/**
 * Says what cannot run in an invocation of AWS Lambda that has so much time in all, each with the reason and what to do. None: it fits.
 * Q3
 */
export function misfits(resources: readonly Resource[], invocationMs: number): readonly string[] {
  const workMs = workTime(invocationMs);
  if (workMs < LEAST_WORK_MS) {
    const least = (KEPT_FREE_MS + LEAST_WORK_MS) / 1_000;
    return [
      `The function has a timeout of ${invocationMs / 1_000} s, and needs ${KEPT_FREE_MS / 1_000} s of it to start and to shut down. ` +
        `Set its Timeout to ${least} s or more.`,
    ];
  }
  const calls = resources.flatMap(callsOf);
  const inline = calls.filter(({ shape }) => modeOf(shape, false) === 'inline' && timeoutOf(shape) > GRACE_MS);
  const cutOff = calls.filter(
    ({ shape }) => modeOf(shape, false) !== 'inline' && timeoutOf(shape) > workMs && !shape.resumes,
  );
  const named = (all: readonly Call[]) =>
    all.map(({ activity, shape }) => `${activity} (${timeoutOf(shape) / 1_000} s)`).join(', ');
  return [
    ...(inline.length === 0
      ? []
      : [
          `An invocation leaves inline calls ${GRACE_MS / 1_000} s to finish when it ends, but these may take longer: ${named(inline)}. ` +
            `Give them a shorter 'timeout', make them activities, or route them to workers in containers.`,
        ]),
    ...(cutOff.length === 0
      ? []
      : [
          `An invocation works for ${workMs / 1_000} s, but these calls may take longer: ${named(cutOff)}. A call that is cut off begins again. ` +
            `Raise the function's Timeout, give the calls a shorter 'timeout', declare 'resumes: true' for those that can resume, or route ` +
            `them to workers in containers.`,
        ]),
  ];
}
