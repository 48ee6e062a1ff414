import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { ServiceContext, ServiceEnv } from '../context.js';
import { problemSchema } from '../problem.js';
import type { ProblemStatus } from '../rejection-status.js';

export type ServiceApp = OpenAPIHono<ServiceEnv>;

/** One call of the service, as it is documented and served. */
export type Route = Pick<RouteConfig, 'path' | 'summary' | 'description' | 'request' | 'responses'> & {
  readonly method: 'get' | 'post';
  readonly operationId: string;
  readonly tag: string;
  /** Who may call it: one of these roles is enough. None where that depends on what it is called for. S6.5 */
  readonly roles?: readonly string[];
  /** The statuses with which it can fail, beside those of every call. */
  readonly problems: readonly ProblemStatus[];
};

const MEANINGS: Readonly<Record<ProblemStatus, string>> = {
  400: 'The request is not right: nothing has changed.',
  401: 'The request does not show who asks.',
  403: 'It is not allowed.',
  404: 'There is none.',
  405: 'The path has no such method.',
  409: 'The state does not allow it: nothing has changed.',
  410: 'It has been deleted.',
  412: 'The entity is of another version than If-Match names: nothing has changed.',
  413: 'The body is too large.',
  415: 'The body is no JSON.',
  422: 'The Idempotency-Key has been used for something else.',
  429: 'Too many at once. Retry-After says when to come again.',
  500: 'Something went wrong that was not foreseen.',
  503: 'Nobody answers at the moment. Retry-After says when to come again.',
  504: 'The query takes too long.',
};
const EVERYWHERE: readonly ProblemStatus[] = [400, 401, 403, 500, 503];

/** Names of security schemes: either will do. */
const SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }];

/** Documents a call, and serves it. */
export function serve(app: ServiceApp, route: Route, handle: (context: ServiceContext) => Promise<Response>): void {
  const { problems, tag, responses, roles, ...described } = route;
  const statuses = [...new Set([...problems, ...EVERYWHERE])];
  const meanings = { ...MEANINGS, ...(roles && { 403: `It takes one of the roles ${roles.join(', ')}.` }) };
  const failures = statuses.map((status) => [status, problemResponse(meanings[status])] as const);
  const config = {
    ...described,
    security: SECURITY,
    tags: [tag],
    responses: { ...Object.fromEntries(failures), ...responses },
  };
  app.openapi(createRoute<string, RouteConfig>(config), handle);
}

/** A response that carries a problem document. */
export function problemResponse(description: string): Route['responses'][string] {
  return { description, content: { 'application/problem+json': { schema: problemSchema } } };
}

/** A response that carries JSON. */
export function jsonResponse(
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, string>> = {},
): Route['responses'][string] {
  return { description, content: { 'application/json': { schema } }, headers: responseHeaders(headers) };
}

/** Server-sent events. */
export function streamResponse(description: string): Route['responses'][string] {
  return { description, content: { 'text/event-stream': { schema: z.string() } } };
}

function responseHeaders(described: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  );
}
