import type { Resource } from '../../src/definition/resource.js';

/**
 * A resource whose calls the resource host carries out: it goes on with what it has begun, also when nobody waits any more, and a
 * repeated request finds that. So an execution that is cut off costs nothing but time. S3.4
 */
export function resumedByHost({ name, calls }: Resource): Resource {
  return {
    name,
    calls: Object.fromEntries(Object.entries(calls).map(([call, shape]) => [call, { ...shape, resumes: true }])),
  };
}
