import { z } from '@hono/zod-openapi';
import { ownAttributes, type AnyComponent } from '../../components/index.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { AnyDistributedOperation } from '../../distributed/index.js';
import type { Actor } from '../../protocol/actor.js';
import { refuseDeployment, refuseDistributed, refuseRole } from '../access.js';
import { creationEvents, jsonSchemaOf, publicEvents } from '../declared-schema.js';
import type { ServiceParts } from '../parts.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const events = (description: string) => z.array(z.string()).openapi({ description });

const given = (description: string) => z.looseObject({}).optional().openapi({ description });

const meSchema = z
  .object({
    subject: z.string(),
    tenant: z.string().openapi({ description: '`*` stands for all tenants.' }),
    roles: z.array(z.string()),
    until: z.iso.datetime().nullable().openapi({ description: 'The time limit; null if there is none.' }),
    types: z
      .array(
        z.object({
          type: z.string(),
          read: z.boolean(),
          create: events('The events with which you may create one.'),
          construct: z.boolean().openapi({ description: '`true` if you may create one without an event.' }),
          raise: events('The events that your roles permit. The state of an entity may still not allow them.'),
          operate: z
            .boolean()
            .openapi({ description: '`true` if you may make operator calls, such as to retry an action.' }),
        }),
      )
      .openapi({ description: 'The types for which you have any right.' }),
    components: z
      .array(
        z.object({
          ...{ component: z.string(), read: z.boolean(), deploy: z.boolean(), operate: z.boolean() },
          attributes: given('The JSON Schema of its own attributes, if you may deploy it.'),
        }),
      )
      .openapi({ description: 'The components for whose deployments you have any right.' }),
    distributed: z
      .array(
        z.object({
          ...{ type: z.string(), read: z.boolean(), start: z.boolean(), operate: z.boolean() },
          argument: given('The JSON Schema of its argument, if you may start it.'),
        }),
      )
      .openapi({ description: 'The types of distributed operations for which you have any right.' }),
    audit: z.boolean().openapi({ description: '`true` if you may read the audit trail.' }),
    rollout: z
      .boolean()
      .openapi({ description: '`true` if you may read the status of the builds of the workflow code.' }),
  })
  .openapi('Me');

/** Tells callers who they are, and what their roles allow. S6.5 */
export function serveMe(app: ServiceApp, { modules, reeve }: ServiceParts): void {
  const components = [...reeve.deployments.components.values()];
  const operations = [...reeve.distributed.types.values()];
  const entities = modules.flatMap((module) => module.entities);
  const route = {
    method: 'get',
    path: '/api/me',
    operationId: 'readMe',
    tag: 'access',
    summary: 'Show the caller and its rights',
    forAll: true,
    responses: { 200: jsonResponse('The caller.', meSchema) },
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    guard.self();
    const { actor, until } = guard.credentials;
    const { subject, tenant, roles } = actor;
    const types = entities.map((entity) => rightsOf(entity, actor)).filter(isAny);
    const ends = Number.isFinite(until) ? new Date(until).toISOString() : null;
    const deployable = components.map((each) => rightsWith(each, actor)).filter(isAny);
    const distributed = operations.map((each) => rightsOver(each, actor)).filter(isAny);
    const { readsAudit: audit, readsRollout: rollout } = guard;
    return context.json(
      { subject, tenant, roles, until: ends, types, components: deployable, distributed, audit, rollout },
      200,
    );
  });
}

/** Tells who asks, and what they may do. */
export type Me = z.output<typeof meSchema>;
type Rights = Me['types'][number];

function rightsOf(entity: AnyEntity, actor: Actor): Rights {
  const may = (action: 'read' | 'create' | 'raise' | 'retry', event?: string) =>
    refuseRole(entity, actor, { action, ...(event !== undefined && { event }) }) === undefined;
  return {
    type: entity.name,
    read: may('read'),
    create: creationEvents(entity).filter((event) => may('create', event)),
    construct: may('create'),
    raise: publicEvents(entity).filter((event) => may('raise', event)),
    operate: may('retry'),
  };
}

function rightsWith(component: AnyComponent, actor: Actor): Me['components'][number] {
  const may = (action: 'read' | 'deploy' | 'terminate') => refuseDeployment(component, actor, { action }) === undefined;
  const deploy = may('deploy');
  return {
    ...{ component: component.kind.name, read: may('read'), deploy, operate: may('terminate') },
    ...(deploy && { attributes: jsonSchemaOf(ownAttributes(component), 'input') }),
  };
}

function rightsOver(operation: AnyDistributedOperation, actor: Actor): Me['distributed'][number] {
  const may = (action: 'read' | 'start' | 'cancel') => refuseDistributed(operation, actor, { action }) === undefined;
  const start = may('start');
  return {
    ...{ type: operation.type, read: may('read'), start, operate: may('cancel') },
    ...(start && { argument: jsonSchemaOf(operation.argument, 'input') }),
  };
}

/** Tells whether there is anything that they may do. */
function isAny(rights: object): boolean {
  return Object.values(rights).some((right) => right === true || (Array.isArray(right) && right.length > 0));
}
