import { z } from '@hono/zod-openapi';
import type { Explanation } from '../../client/explain/explanation.js';
import type { AnyEntity } from '../../definition/entity.js';
import { parseEntityId } from '../../protocol/names.js';
import { rolesForAccess } from '../access.js';
import { permit, type ServiceParts } from '../context.js';
import { pathOfType, type EntityModule } from '../module.js';
import { originOf } from '../operation-origin.js';
import { ProblemError } from '../problem.js';
import { keyParameter, onParameter, operationParameter } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const explanationSchema = z
  .looseObject({ kind: z.string() })
  .openapi('Explanation', { description: 'A tree; all times in it are milliseconds since 1970.' });

const explained = {
  description:
    'Down to attempts, last errors, unmet subscriptions, holders of reservations and missing workers. It shows entities of all tenants, and so is only for those who belong to none.',
  responses: { 200: jsonResponse('The tree of what it waits for.', explanationSchema) },
} as const;

/** What an entity waits for. S5.4 */
export function serveEntityExplanation(
  app: ServiceApp,
  { reeve }: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
): void {
  const route = {
    ...explained,
    method: 'get',
    path: `${pathOfType(module, entity.name)}/{key}/explanation`,
    operationId: `explain${entity.name}`,
    summary: `Say what a ${entity.name} waits for`,
    tag: entity.name,
    roles: rolesForAccess(entity, { action: 'read' }),
    request: { params: keyParameter(entity) },
    problems: [404, 410],
  } as const;
  serve(app, route, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    permit(context, { action: 'read', entity: ref });
    context.var.guard.acrossTenants();
    return context.json(await reeve.explain(ref), 200);
  });
}

/** What an operation waits for. S5.4 */
export function serveOperationExplanation(app: ServiceApp, { reeve }: ServiceParts): void {
  const route = {
    ...explained,
    method: 'get',
    path: '/api/operations/{id}/explanation',
    operationId: 'explainOperation',
    summary: 'Say what an operation waits for',
    tag: 'operations',
    request: { params: operationParameter, query: onParameter },
    problems: [404],
  } as const;
  serve(app, route, async (context) => {
    const id = context.req.param('id')!;
    const named = context.req.query('on');
    const on = named === undefined ? undefined : parseEntityId(named);
    if (named !== undefined && !on) {
      throw ProblemError.invalid('invalid_query', [{ path: 'on', message: 'write type and key, like Alias/orders' }]);
    }
    permit(context, { action: 'read', operation: id });
    context.var.guard.acrossTenants();
    const reading = await reeve.operations.read(id, on);
    context.var.guard.operation(originOf(reading, on));
    // One that has settled at once has no workflow, and waits for nothing.
    const nothing: Explanation = { at: Date.now(), entities: [], starved: [] };
    return context.json(reading.state === 'settled' ? nothing : await reeve.operations.explain(id), 200);
  });
}
