import { z } from '@hono/zod-openapi';
import { newRequestId } from '../../client/new-request-id.js';
import { didYouMean } from '../../definition/did-you-mean.js';
import { parseEntityId } from '../../protocol/names.js';
import type { ServiceContext, ServiceEnv } from '../context.js';
import { eachOf } from '../each-of.js';
import { ENTITY_TAG } from '../entity-tag.js';
import { pathOfType } from '../module.js';
import { operationSchema, type OperationRepresentation } from '../operation-representation.js';
import { orNull } from '../or-null.js';
import type { ServiceParts } from '../parts.js';
import { preferredWait } from '../preference.js';
import { problemDocument, ProblemError, problemSchema } from '../problem.js';
import { entityIdText, idempotencyHeaders } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

/** The most events of one request. */
const MOST = 500;
/** How many are raised at the same time, and for how long more are begun, in milliseconds. */
const AT_ONCE = 32;
const BEGINS_WITHIN_MS = 20_000;

const eventSchema = z.strictObject({
  entity: entityIdText
    .regex(/^[^/]+\/(?!\.\.?$)/, 'addresses nothing: no key is . or ..')
    .openapi({ example: 'LogicalServer/orders' }),
  event: z.string().regex(/^\w+$/, 'is not the name of an event').openapi({ example: 'setFirewallRule' }),
  parameters: z.unknown().optional(),
  if_match: z
    .string()
    .regex(ENTITY_TAG, 'is not the ETag of an entity')
    .optional()
    .openapi({ description: 'The ETag of the expected version.' }),
});

const requestSchema = z
  .strictObject({
    events: z
      .array(eventSchema)
      .min(1)
      .max(MOST)
      .superRefine((events, { addIssue }) => {
        const named = new Set<string>();
        for (const [index, { entity }] of events.entries()) {
          if (named.has(entity)) addIssue({ code: 'custom', path: [index, 'entity'], message: 'is named twice' });
          named.add(entity);
        }
      })
      .openapi({ description: 'Each on another entity.' }),
  })
  .openapi('RaiseMany');

const answerSchema = z.object({
  entity: z.string(),
  event: z.string(),
  status: z.number().int().openapi({ description: 'The status with which the event alone would be answered.' }),
  operation: orNull(operationSchema).openapi({
    description: 'The operation that the event opened, if it was accepted.',
  }),
  operation_location: z.string().nullable().openapi({ description: 'The address of the operation.' }),
  problem: orNull(problemSchema).openapi({ description: 'The reason why the event was not accepted.' }),
});

const reportSchema = z
  .object({
    idempotency_key: z
      .string()
      .openapi({ description: 'The idempotency key: a repeated request raises nothing again.' }),
    accepted: z.number().int(),
    rejected: z.number().int(),
    unknown: z.number().int().openapi({
      description:
        'The number of events whose answer is not known, or that were not sent yet. Repeat with the same key.',
    }),
    items: z.array(answerSchema).openapi({ description: 'Of each event, in their order.' }),
  })
  .openapi('RaiseManyReport');

export type RaiseManyRequest = z.output<typeof requestSchema>;
export type RaiseManyReport = z.output<typeof reportSchema>;
type Item = RaiseManyReport['items'][number];
type Event = RaiseManyRequest['events'][number];

/** Asks this service as a request from outside does. */
type AskItself = (request: Request, env: ServiceEnv['Bindings']) => Response | Promise<Response>;

/**
 * Serves `POST /api/raise`: many events as one request. Each is a request to this service of its own, by the same caller: so its
 * role, tenant, parameters, audit trail and answer are those of the event alone. S6.1, S6.5
 */
export function serveRaiseMany(app: ServiceApp, parts: ServiceParts, askItself: AskItself): void {
  const { modules, settings } = parts;
  const paths = new Map(
    modules.flatMap((module) => module.entities.map(({ name }) => [name, pathOfType(module, name)] as const)),
  );
  const route = {
    method: 'post',
    path: '/api/raise',
    operationId: 'raiseMany',
    tag: 'entities',
    summary: 'Raise events on many entities, with a report',
    description:
      `At most ${MOST}, each on another entity. Each event gets its own answer: some may be accepted and others rejected. The report ` +
      'has an item for each, and its status is always 200. The Idempotency-Key counts separately for each entity, so ' +
      'the same request again raises nothing twice. `Prefer: wait=2` asks for outcomes that are there within 2 s.',
    forAll: true,
    request: {
      headers: idempotencyHeaders,
      body: { content: { 'application/json': { schema: requestSchema } }, required: true },
    },
    responses: { 200: jsonResponse('The result for each.', reportSchema) },
  } as const;
  serve(app, route, async (context) => {
    context.var.guard.each();
    const { events } = context.req.valid('json' as never) as RaiseManyRequest;
    const key = context.req.header('idempotency-key') ?? newRequestId();
    const seconds = preferredWait(context.req.header('prefer'), settings.longestWait);
    const begunAt = Date.now();
    const items = await eachOf(events, AT_ONCE, async (event) => {
      const isLate = Date.now() - begunAt > BEGINS_WITHIN_MS || context.req.raw.signal.aborted;
      if (isLate) return refused(context, event, NOT_BEGUN);
      const { type } = parseEntityId(event.entity)!;
      const path = paths.get(type);
      if (path === undefined) return refused(context, event, unknownType(type, [...paths.keys()]));
      // The time is that of the whole request: whoever comes late waits for less.
      const wait = seconds === undefined ? 0 : Math.ceil(seconds - (Date.now() - begunAt) / 1_000);
      const request = requestOf(context, path, event, { key, wait });
      return itemOf(event, await askItself(request, context.env));
    });
    const unknown = items.filter(isUndecided).length;
    const accepted = items.filter(({ operation }) => operation !== null).length;
    const report = { idempotency_key: key, accepted, rejected: items.length - accepted - unknown, unknown, items };
    return context.json(report satisfies RaiseManyReport, 200);
  });
}

/** The request for one of the events, by whoever asks for all of them. */
function requestOf(
  { req, var: { requestId } }: ServiceContext,
  path: string,
  { entity, event, parameters, if_match: tag }: Event,
  { key, wait }: { readonly key: string; readonly wait: number },
): Request {
  const headers = new Headers(req.raw.headers);
  for (const name of ['content-length', 'transfer-encoding', 'prefer', 'if-match', 'accept']) headers.delete(name);
  headers.set('content-type', 'application/json');
  headers.set('x-request-id', requestId);
  headers.set('idempotency-key', key);
  if (wait > 0) headers.set('prefer', `wait=${wait}`);
  if (tag !== undefined) headers.set('if-match', tag);
  const at = entity.slice(entity.indexOf('/') + 1);
  const url = new URL(`${path}/${encodeURIComponent(at)}/${event}`, req.url);
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(parameters ?? {}) });
}

async function itemOf({ entity, event }: Event, response: Response): Promise<Item> {
  const { status } = response;
  const common = { entity, event, operation_location: response.headers.get('operation-location') };
  const body: unknown = await response.json();
  if (response.ok) return { ...common, status, operation: body as OperationRepresentation, problem: null };
  const problem = body as z.output<typeof problemSchema>;
  return { ...common, status, operation: null, problem };
}

const NOT_BEGUN = new ProblemError(
  'not_begun',
  'The time was up before this event was sent. Repeat the request with the same Idempotency-Key.',
);

function unknownType(type: string, known: readonly string[]): ProblemError {
  const message = `There is no entity type '${type}'.${didYouMean(type, known)} The entity types are: ${known.join(', ')}.`;
  return new ProblemError('unknown_type', message);
}

/** Describes an event that was not raised at all. */
function refused({ req, var: { requestId } }: ServiceContext, { entity, event }: Event, why: ProblemError): Item {
  const problem = problemSchema.parse(problemDocument(why, req.path, requestId));
  return { entity, event, status: why.status, operation: null, operation_location: null, problem };
}

function isUndecided({ status }: Item): boolean {
  return status === 429 || status >= 500;
}
