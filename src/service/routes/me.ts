import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../../definition/entity.js';
import type { Actor } from '../../protocol/actor.js';
import { refuseRole } from '../access.js';
import { creationEvents, publicEvents } from '../declared-schema.js';
import type { EntityModule } from '../module.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const events = (description: string) => z.array(z.string()).openapi({ description });

const meSchema = z
  .object({
    subject: z.string(),
    tenant: z.string().openapi({ description: '`*` stands for all tenants.' }),
    roles: z.array(z.string()),
    until: z.iso.datetime().nullable().openapi({ description: 'Until when that holds; null where it does not end.' }),
    types: z
      .array(
        z.object({
          type: z.string(),
          read: z.boolean(),
          create: events('The events by which you may let one come to be.'),
          construct: z.boolean().openapi({ description: 'Whether you may let one come to be without an event.' }),
          raise: events('The events that you may raise. The state of an entity may forbid them all the same.'),
          operate: z
            .boolean()
            .openapi({ description: "Whether an operator's calls are for you, such as to retry an action." }),
        }),
      )
      .openapi({ description: 'The types of which you may do anything.' }),
  })
  .openapi('Me');

/** Tells callers who they are, and what their roles allow. S6.5 */
export function serveMe(app: ServiceApp, modules: readonly EntityModule[]): void {
  const entities = modules.flatMap((module) => module.entities);
  const route = {
    method: 'get',
    path: '/api/me',
    operationId: 'readMe',
    tag: 'access',
    summary: 'Say who asks, and what they may do',
    forAll: true,
    responses: { 200: jsonResponse('Who you are.', meSchema) },
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    guard.self();
    const { actor, until } = guard.credentials;
    const { subject, tenant, roles } = actor;
    const types = entities.map((entity) => rightsOf(entity, actor)).filter(isAny);
    const ends = Number.isFinite(until) ? new Date(until).toISOString() : null;
    return context.json({ subject, tenant, roles, until: ends, types }, 200);
  });
}

/** Who asks, and what they may do. */
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

function isAny({ read, create, construct, raise, operate }: Rights): boolean {
  return read || construct || operate || create.length > 0 || raise.length > 0;
}
