import { plain } from './carried.js';
import { Rejected } from './errors.js';
import { entityId, type EntityRef } from './names.js';
import type { RaiseRequest } from './request.js';
import { describeIssues } from './schema-problems.js';

/**
 * The request with copies of what its caller gives.
 * @throws Rejected `invalid_parameters` where that is no JSON: on its way it would become something else. S1.5a
 */
export function plainRequest(to: EntityRef, request: RaiseRequest): RaiseRequest {
  const { event } = request;
  const params = plain(request.params, 'params');
  const construct = plain(request.construct, 'construct');
  if (params.valid && construct.valid) {
    return {
      ...request,
      ...(params.value !== undefined && { params: params.value }),
      ...(construct.value !== undefined && { construct: construct.value as NonNullable<RaiseRequest['construct']> }),
    };
  }
  const issues = [params, construct].flatMap((each) => (each.valid ? [] : each.issues));
  const message = `'${event}' cannot be sent to ${entityId(to)}: ${describeIssues(issues)}`;
  throw new Rejected({ code: 'invalid_parameters', message, entity: entityId(to), event, issues });
}
