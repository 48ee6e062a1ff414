import { z } from '@hono/zod-openapi';
import type { ReeveClient } from '../../client/client.js';
import type { AnyEntity } from '../../definition/entity.js';
import { keySchemas, type KeyOf } from '../../definition/key-schema.js';
import { belongsToTenants } from '../../definition/tenant.js';
import { refGiven } from '../../kernel/index.js';
import { TENANT_NAME } from '../../protocol/actor.js';
import { rolesForAccess } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf, type Asking } from '../asking.js';
import { permit } from '../context.js';
import type { ServiceParts } from '../parts.js';
import {
  accepting,
  creationEvents,
  issuesIn,
  jsonSchemaOf,
  takesNothing,
  type JsonSchema,
} from '../declared-schema.js';
import { pathOfType, type EntityModule } from '../module.js';
import { answerTaken } from '../operation-answer.js';
import { operationSchema } from '../operation-representation.js';
import { describeGivenKey, givenKey, requestHeaders } from './parameters.js';
import { entityLinks, operationLinks } from './links.js';
import { FOLLOWED, operationResponses } from './operation-responses.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const TENANT_SCHEMA: JsonSchema = {
  type: 'string',
  pattern: TENANT_NAME.source,
  description: 'Its tenant: that of the caller, or any tenant if the caller acts for all tenants.',
};

interface CreationBody {
  readonly key: KeyOf<AnyEntity>;
  readonly event?: string;
  readonly parameters?: unknown;
  readonly construct?: Readonly<Record<string, unknown>>;
  /** The tenant for whom it is created, by an actor for all tenants. */
  readonly tenant?: string;
}

/** Serves `POST /api/control-plane/v1/LogicalServer`, by which an entity comes to be, by an event or without one. S2.1 */
export function serveCreation(app: ServiceApp, parts: ServiceParts, module: EntityModule, entity: AnyEntity): void {
  const { reeve, settings } = parts;
  const path = pathOfType(module, entity.name);
  const events = creationEvents(entity);
  // Where the key may come as its parts, no member of the body is its text.
  const links = keySchemas(entity)
    ? operationLinks(entity)
    : { ...entityLinks(entity), ...operationLinks(entity, '$request.body#/key') };
  const route = {
    method: 'post',
    path,
    operationId: `create${entity.name}`,
    tag: entity.name,
    summary: `Create a ${entity.name}`,
    description:
      `It is created by an event (${events.join(', ') || 'there is none'}) with its parameters, or without one. ` +
      '`construct` has the properties and links that it begins with. If the entity exists, the event is raised on it.' +
      describeNeeds(entity, events) +
      describeLinks(entity) +
      describeRoles(entity, events),
    request: {
      headers: requestHeaders,
      body: { content: { 'application/json': { schema: bodySchema(entity, events) } }, required: true },
    },
    responses: {
      ...operationResponses(links),
      201: jsonResponse(
        'The entity has been created within the time that the caller preferred to wait.',
        operationSchema,
        { ...FOLLOWED, Location: 'The address of the entity.' },
        links,
      ),
    },
    problems: [410],
  } as const;
  serve(app, route, async (context) => {
    const body = (await context.req.json()) as CreationBody;
    const ref = refGiven(entity, body.key);
    const event = body.event !== undefined && { event: body.event };
    const asking = askingOf(context, ref);
    permit(context, { action: 'create', entity: ref, operation: asking.requestId, ...event });
    context.var.guard.createFor(body.tenant);
    const created = answeredWithin(settings.answerMs, create(reeve, entity, { ...body, key: ref.key }, asking));
    const taken = await context.var.guard.entity(created);
    return answerTaken(context, parts, taken, `${path}/${encodeURIComponent(ref.key)}`);
  });
}

/** Says which other entity has to be there, and the codes of the answers where it is not. S2.2 */
function describeNeeds(entity: AnyEntity, events: readonly string[]): string {
  const lines = events.flatMap((event) => {
    const { needs } = entity.events[event]!;
    if (!needs) return [];
    const codes = new Set([needs.absent, ...Object.values(needs.unless)].map(({ code }) => `\`${code}\``));
    return [`\n\n\`${event}\` needs a ${needs.type}: 409 with ${[...codes].join(' or ')} if it cannot be used.`];
  });
  return lines.join('');
}

/** Says which links have to lead to an entity that exists. S1.1 */
function describeLinks({ construct, links }: AnyEntity): string {
  const lines = Object.entries(links).flatMap(([name, { to, mustExist }]) =>
    mustExist && Object.hasOwn(construct?.shape ?? {}, name)
      ? [`\n\n\`${name}\` has to lead to a ${to} that exists: 409 with \`link_target_absent\` where there is none.`]
      : [],
  );
  return lines.join('');
}

/** Says which roles may create it, without an event and by each one. S6.5 */
function describeRoles(entity: AnyEntity, events: readonly string[]): string {
  const lines = [undefined, ...events].map((event) => {
    const roles = rolesForAccess(entity, { action: 'create', ...(event !== undefined && { event }) });
    return `\n- ${event === undefined ? 'without an event' : `by \`${event}\``}: ${roles.join(', ')}`;
  });
  return `\n\nIt requires one of the roles:${lines.join('')}`;
}

function create(
  reeve: ReeveClient,
  entity: AnyEntity,
  { key, event, parameters, construct, tenant }: CreationBody,
  asking: Asking,
) {
  const options = { ...asking, ...(tenant !== undefined && { tenant }) };
  if (event === undefined) return reeve.construct(entity, key, construct ?? {}, options);
  // The body has already been checked against the parameters of the event.
  const params = entity.events[event]?.params ? (parameters ?? {}) : undefined;
  return reeve.createAny(entity, key, event, { ...options, params, ...(construct && { construct }) });
}

function bodySchema(entity: AnyEntity, events: readonly string[]): z.ZodType {
  const construct = entity.construct ?? z.strictObject({});
  const body = z
    .strictObject({
      key: givenKey(entity),
      event: z.string().optional(),
      parameters: z.unknown().optional(),
      construct: takesNothing(entity.construct) ? construct.optional() : construct,
      ...(belongsToTenants(entity) && {
        tenant: z.string().regex(TENANT_NAME, 'is not the name of a tenant').optional(),
      }),
    })
    .superRefine(({ event, parameters }, { addIssue }) => {
      if (event !== undefined && !events.includes(event)) {
        const known = events.join(', ') || 'none, so leave it out';
        addIssue({
          code: 'custom',
          path: ['event'],
          message: `does not create ${entity.name} entities. These events do: ${known}`,
        });
        return;
      }
      const declared = event === undefined ? undefined : entity.events[event]?.params;
      const given = parameters === undefined ? {} : parameters;
      for (const issue of issuesIn(declared ?? z.strictObject({}), given, ['parameters'])) addIssue(issue);
    });
  return accepting(body, describeBody(entity, events));
}

/** The schema of the body. It has one alternative for each event that creates, and one for the creation without an event. */
function describeBody(entity: AnyEntity, events: readonly string[]): JsonSchema {
  const key = describeGivenKey(entity);
  const construct = entity.construct && jsonSchemaOf(entity.construct, 'input');
  const needed = ['key', ...(takesNothing(entity.construct) ? [] : ['construct'])];
  const alternatives = [undefined, ...events].map((event) => {
    const params = event === undefined ? undefined : entity.events[event]?.params;
    return {
      type: 'object',
      title: event === undefined ? 'without an event' : event,
      properties: {
        key,
        ...(event !== undefined && { event: { type: 'string', const: event } }),
        ...(params && { parameters: jsonSchemaOf(params, 'input') }),
        ...(construct && { construct }),
        ...(belongsToTenants(entity) && { tenant: TENANT_SCHEMA }),
      },
      required: [...needed, ...(event === undefined ? [] : ['event']), ...(takesNothing(params) ? [] : ['parameters'])],
      additionalProperties: false,
    };
  });
  return { type: 'object', anyOf: alternatives };
}
