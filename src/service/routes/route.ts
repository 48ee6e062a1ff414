import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { ServiceContext, ServiceEnv } from '../context.js';
import { problemSchema } from '../problem.js';
import type { ProblemStatus } from '../../protocol/error-codes/index.js';
import type { Links } from './links.js';

export type ServiceApp = OpenAPIHono<ServiceEnv>;

/** One call of the service, as it is documented and served. */
export type Route = Pick<RouteConfig, 'path' | 'summary' | 'description' | 'responses'> & {
  readonly method: 'get' | 'post';
  readonly operationId: string;
  readonly tag: string;
  /** Tells who may call it: one of these roles is enough. It is absent where that depends on what it is called for. S6.5 */
  readonly roles?: readonly string[];
  /** Everybody who shows who they are may call it. */
  readonly forAll?: true;
  /** It asks for no credentials, since the address itself is the proof. */
  readonly open?: true;
  readonly request?: RouteRequest;
  /** The statuses with which it can fail, in addition to those that follow from what it takes. */
  readonly problems?: readonly ProblemStatus[];
};

interface RouteRequest extends Pick<NonNullable<RouteConfig['request']>, 'body'> {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
}

const MEANINGS: Readonly<Record<ProblemStatus, string>> = {
  400: 'The request is invalid, and nothing has changed.',
  401: 'The request is not authenticated.',
  403: 'The caller is not allowed to do this.',
  404: 'It does not exist.',
  405: 'The path does not take this method.',
  406: 'It is not available in a media type of Accept.',
  409: 'The state does not allow it, and nothing has changed.',
  410: 'It has been deleted.',
  412: 'The entity has another version than If-Match names, and nothing has changed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The Idempotency-Key has been used for another request.',
  429: 'There are too many requests. Retry-After has the time until the next try.',
  431: 'Path, query and headers are too large together.',
  500: 'An internal error.',
  503: 'There is no answer at the moment. Retry-After has the time until the next try.',
  504: 'The query takes too long.',
};
const HEADERS: { readonly [S in ProblemStatus]?: Readonly<Record<string, string>> } = {
  401: { 'WWW-Authenticate': 'The required authentication.' },
  429: { 'Retry-After': 'The seconds after which to retry.' },
  503: { 'Retry-After': 'The seconds after which to retry.' },
};

/** The statuses with which a call can fail, by what it takes. */
function failuresOf({ method, request = {}, problems = [], open, forAll }: Route): ReadonlySet<ProblemStatus> {
  const { params, query, headers, body } = request;
  const takes = (part: z.ZodObject | undefined, name: string) => part !== undefined && Object.hasOwn(part.shape, name);
  const failures = new Set<ProblemStatus>([
    ...(open ? [] : [401 as const]),
    ...(open || forAll ? [] : [403 as const]),
    429,
    431,
    500,
    503,
    ...problems,
  ]);
  if (params || query || headers || body) failures.add(400);
  if (params) failures.add(404);
  if (method === 'post') failures.add(413);
  if (body) failures.add(415);
  const opensOperation = takes(headers, 'idempotency-key') && takes(headers, 'prefer');
  if (opensOperation) for (const status of [404, 409, 422] as const) failures.add(status);
  if (takes(headers, 'if-match')) failures.add(412);
  if (takes(query, '$expand')) failures.add(504);
  return failures;
}

/** The names of the security schemes. Either will do. */
const SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }];

/** Documents a call, and serves it. */
export function serve(app: ServiceApp, route: Route, handle: (context: ServiceContext) => Promise<Response>): void {
  const { problems: _, forAll: __, tag, responses, roles, open, ...described } = route;
  const meanings = { ...MEANINGS, ...(roles && { 403: `It requires one of the roles ${roles.join(', ')}.` }) };
  const failures = [...failuresOf(route)].map(
    (status) => [status, problemResponse(meanings[status], HEADERS[status])] as const,
  );
  const config = {
    ...described,
    security: open ? [] : SECURITY,
    tags: [tag],
    responses: { ...Object.fromEntries(failures), ...responses },
  };
  app.openapi(createRoute<string, RouteConfig>(config), handle);
}

/** A response that carries a problem document. */
export function problemResponse(
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Route['responses'][string] {
  const content = { 'application/problem+json': { schema: problemSchema } };
  return { description, content, headers: responseHeaders(headers) };
}

/** A response that carries JSON. */
export function jsonResponse(
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, string>> = {},
  links: Links = {},
): Route['responses'][string] {
  return { description, content: { 'application/json': { schema } }, headers: responseHeaders(headers), links };
}

/** A response that carries JSON, or server-sent events where Accept asks for them. */
export function jsonOrStreamResponse(
  description: string,
  schema: z.ZodType,
  event: string,
): Route['responses'][string] {
  return { description, content: { 'application/json': { schema }, ...eventsOf(event) } };
}

/**
 * A response with server-sent events, which goes on where it was broken off. Each has data that the document calls `schema`.
 */
export function streamResponse(description: string, schema: string): Route['responses'][string] {
  return { description, content: eventsOf(schema) };
}

/** The same of a stream that begins anew when it was broken off, and so has no ids. */
export function unnumberedStreamResponse(description: string, schema: string): Route['responses'][string] {
  const event = z.object({ event: z.enum(['change', 'problem']), data: dataOf(schema) });
  return { description, content: { 'text/event-stream': { schema: event } } };
}

function eventsOf(schema: string) {
  const event = z.object({
    event: z.enum(['change', 'end']),
    id: z.string().openapi({ description: 'The value for Last-Event-ID.' }),
    data: dataOf(schema),
  });
  return { 'text/event-stream': { schema: event } };
}

function dataOf(schema: string) {
  const contentSchema = { $ref: `#/components/schemas/${schema}` };
  return z.string().openapi({ ...{ contentMediaType: 'application/json', contentSchema } });
}

export function responseHeaders(described: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  );
}
