import { z } from '@hono/zod-openapi';
import { createHash } from 'node:crypto';
import type { AnyEntity } from '../../definition/entity.js';
import { allowedEvents } from '../../kernel/index.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { StoreViews } from '../../store/index.js';
import { rolesForAccess } from '../access.js';
import { permit, type ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { readSchema, representEntity, representRow } from '../entity-representation.js';
import { entityTag } from '../entity-tag.js';
import { executionOf } from '../execution.js';
import { modelOf, type Catalogue } from '../lists/catalogue.js';
import { liveMembers } from '../lists/live-members.js';
import { selectedOf, singleQuery, storedRow } from '../lists/single-read.js';
import { Visible } from '../lists/visible.js';
import { pathOfType, type EntityModule } from '../module.js';
import type { Item, Query } from '../odata/index.js';
import { orGone } from '../gone.js';
import { living, readOrRow, readOwn } from '../read-entity.js';
import { keyParameter, singleParameters, streamHeaders } from './parameters.js';
import { jsonResponse, serve, streamResponse, type ServiceApp } from './route.js';

const allowedEventsSchema = z
  .object({
    entity: z.string(),
    state: z.string(),
    version: z.number().int(),
    events: z.array(
      z.object({
        event: z.string(),
        displayName: z.string().optional().openapi({ description: 'The display name of the event, if it has one.' }),
        allowed: z.boolean(),
        behind: z.string().optional().openapi({ description: 'The reason why the event would wait.' }),
        rejection: z.looseObject({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  })
  .openapi('AllowedEvents');

/** Serves the reads of one entity: how it is, which events it would take, and how it changes. S2.6, S6.1 */
export function serveEntityReading(
  app: ServiceApp,
  parts: ServiceParts,
  catalogue: Catalogue,
  module: EntityModule,
  entity: AnyEntity,
): void {
  const { reeve, streams } = parts;
  const model = modelOf(catalogue, entity);
  const path = `${pathOfType(module, entity.name)}/{key}`;
  const roles = rolesForAccess(entity, { action: 'read' });
  const common = { method: 'get', tag: entity.name, roles, request: { params: keyParameter(entity) } } as const;

  const one = {
    ...common,
    path,
    operationId: `read${entity.name}`,
    summary: `Read a ${entity.name}`,
    description:
      'The rows of `$expand` come from the store, with a short delay. Only members of subordinates that are ' +
      'expanded without options come from the entity itself.',
    request: { ...common.request, query: z.object(singleParameters(model)) },
    responses: {
      200: jsonResponse('The entity. It is `stale` if no worker runs.', readSchema(entity), {
        ETag: 'The life and the version of the entity.',
      }),
    },
    problems: [410],
  } as const;
  serve(app, one, async (context) => {
    const ref = await target(context);
    const query = singleQuery(context, model);
    const read = await orGone(context, parts, ref, readOrRow(context.var.guard, parts, entity, ref), ofRow);
    const tag = entityTag(read);
    context.header('ETag', tag);
    context.header('OData-Version', '4.01');
    const members = liveMembers(read.subordinates as Item, query, parts.settings.expandedRows);
    const item = selectedOf({ ...(await expanded(context, ref, query)), ...members, ...read }, query);
    const root = pathOfType(module, '$metadata');
    return context.json(
      {
        '@odata.context': `${root}#${entity.name}/$entity`,
        '@odata.etag': tag,
        ...item,
        ...executionOf(parts, entityId(ref)),
      },
      200,
    );
  });

  const allowed = {
    ...common,
    path: `${path}/allowed-events`,
    operationId: `allowedEventsOf${entity.name}`,
    summary: 'List the events that are valid now, and why the others are not',
    responses: { 200: jsonResponse('Each declared event. Its parameters are not considered.', allowedEventsSchema) },
    problems: [410],
  } as const;
  serve(app, allowed, async (context) => {
    const ref = await target(context);
    const { guard } = context.var;
    const reading = orGone(context, parts, ref, readOwn(guard, parts, ref), ofRow);
    const { snapshot } = living(parts, entity, await reading);
    const { state, version } = snapshot;
    const events = allowedEvents(entity, snapshot, guard.credentials.actor);
    return context.json({ entity: entityId(ref), state, version, events }, 200);
  });

  const changes = {
    ...common,
    path: `${path}/change-stream`,
    operationId: `follow${entity.name}`,
    summary: `Follow a ${entity.name} by server-sent events`,
    description:
      'Each `change` is the whole entity, and `end` comes when it is deleted. The stream resumes after Last-Event-ID.',
    request: { ...common.request, headers: streamHeaders },
    responses: {
      200: streamResponse('The entity, whenever it has changed.', entity.name),
      204: { description: 'The end has been seen already.' },
    },
  } as const;
  serve(app, changes, async (context) => {
    const ref = await target(context);
    return streams.follow(context, {
      revision: () => reeve.revision(entityId(ref)),
      look: async () => {
        const { snapshot, gone } = await readOwn(context.var.guard, parts, ref);
        const { reported_time, ...data } = representEntity(entity, snapshot, Date.now());
        // The end has another id than what was seen just before it.
        const id = `${snapshot.life}.${snapshot.version}.${digest({ ...data, gone })}`;
        return { id, data: { ...data, ...executionOf(parts, entityId(ref)), reported_time, gone }, final: gone };
      },
    });
  });

  async function expanded(context: ServiceContext, { key }: EntityRef, query: Query): Promise<Item> {
    if (query.expand.length === 0) return {};
    const visible = Visible.to(context.var.guard, entity.name, catalogue.dimensions);
    return (await storedRow(parts, visible, { ...model, only: { ...model.only, key } }, query)) ?? {};
  }

  function ofRow(row: StoreViews['entities']) {
    return representRow(entity, row);
  }

  async function target(context: ServiceContext): Promise<EntityRef> {
    const ref = { type: entity.name, key: context.req.param('key')! };
    permit(context, { action: 'read', entity: ref });
    return ref;
  }
}

function digest(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 10);
}
