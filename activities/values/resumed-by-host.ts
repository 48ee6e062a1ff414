import type { CallShape } from '../../src/definition/resource.js';

/**
 * Calls that the resource host carries out: it goes on with what it has begun, also when nobody waits any more, and a repeated request
 * finds that. So an execution that is cut off costs nothing but time. S3.4
 */
export function resumedByHost<const Calls extends Record<string, CallShape>>(calls: Calls): Calls {
  const resumed = Object.entries(calls).map(([name, shape]) => [name, { ...shape, resumes: true }]);
  return Object.fromEntries(resumed) as Calls;
}
