import { z } from '@hono/zod-openapi';
import type { Explanation } from '../../client/explain/explanation.js';
import type { OperationReading } from '../../client/operation-reading.js';
import type { AnyEntity } from '../../definition/entity.js';
import { Rejected } from '../../protocol/errors.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { rolesForAccess } from '../access.js';
import { permit } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { executionOf, executionOfOperation } from '../execution.js';
import { audienceOf } from '../explanation-audience.js';
import type { OperationOrigin } from '../guard.js';
import { pathOfType, type EntityModule } from '../module.js';
import { originOf, originOfRow } from '../operation-origin.js';
import { executionSchema } from '../operation-representation.js';
import { tenantOfRow } from '../tenant-of-row.js';
import { lookForOperation } from '../read-operation.js';
import { bySentId } from '../sent-as.js';
import { operationTarget, type OperationTarget } from './operation-target.js';
import { keyParameter, onParameter, operationParameter } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const node = z.looseObject({ kind: z.string(), entity: z.string() });
const explanationSchema = z
  .looseObject({
    at: z.number().int(),
    operation: z.looseObject({ kind: z.string(), id: z.string() }).optional(),
    entities: z.array(node),
    lastTask: z
      .object({ at: z.number().int(), worker: z.string().optional(), build: z.string().optional() })
      .optional()
      .openapi({ description: 'The worker that has run the entity last, and its build.' }),
    '@reeve.execution': executionSchema,
    starved: z.array(z.looseObject({ taskQueue: z.string(), work: z.enum(['steps', 'calls']) })),
    stuck: z
      .array(
        z.object({
          who: z.string(),
          since: z.number().int().optional().openapi({ description: 'Missing if the time is not known.' }),
          reason: z.string(),
          message: z.string(),
          whatToDo: z.string(),
        }),
      )
      .openapi({ description: 'Everything in the tree that makes no progress and needs an operator.' }),
  })
  .openapi('Explanation', { description: 'A tree. All times in it are milliseconds since 1970.' });

const explained = {
  description:
    'It goes down to attempts, last errors, unmet subscriptions, holders of reservations and missing workers. For an entity ' +
    'that the caller may not read, it only has `hidden`, as for one that does not exist.',
  responses: { 200: jsonResponse('The tree of what it waits for.', explanationSchema) },
} as const;

/** Serves the explanation of what an entity waits for. S5.4 */
export function serveEntityExplanation(
  app: ServiceApp,
  parts: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
): void {
  const { reeve, store } = parts;
  const route = {
    ...explained,
    method: 'get',
    path: `${pathOfType(module, entity.name)}/{key}/explanation`,
    operationId: `explain${entity.name}`,
    summary: `Explain what a ${entity.name} waits for`,
    tag: entity.name,
    roles: rolesForAccess(entity, { action: 'read' }),
    request: { params: keyParameter(entity) },
  } as const;
  serve(app, route, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    permit(context, { action: 'read', entity: ref });
    const { guard } = context.var;
    // For an actor for all tenants it does not matter whose the entity is, and perhaps no worker can tell.
    guard.own(guard.readable.tenant === undefined ? undefined : await ownerOf(parts, ref));
    const explanation = await reeve.explain(ref, audienceOf(guard.readable, store));
    return context.json({ ...explanation, ...executionOf(parts, entityId(ref)) }, 200);
  });
}

/** Serves the explanation of what an operation waits for. S5.4 */
export function serveOperationExplanation(app: ServiceApp, parts: ServiceParts): void {
  const { reeve, store } = parts;
  const route = {
    ...explained,
    method: 'get',
    path: '/api/operations/{id}/explanation',
    operationId: 'explainOperation',
    summary: 'Explain what an operation waits for',
    tag: 'operations',
    request: { params: operationParameter, query: onParameter },
    problems: [409],
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    const { id, state, on, execution } = await bySentId(parts, guard, operationTarget(context), async (address) => {
      permit(context, { action: 'read', operation: address.id });
      const { origin, ...found } = await findOperation(parts, address);
      guard.operation(origin);
      return { ...found, id: address.id };
    });
    const audience = audienceOf(guard.readable, store);
    // The operation has no workflow yet, and only its entity knows of it.
    if (state === 'beginning' && on) return context.json({ ...(await reeve.explain(on, audience)), ...execution }, 200);
    // An operation that has settled at once has no workflow, and waits for nothing.
    const nothing: Explanation = { at: Date.now(), entities: [], starved: [], stuck: [] };
    const explanation = state === 'settled' ? nothing : await reeve.operations.explain(id, audience);
    return context.json({ ...explanation, ...execution }, 200);
  });
}

/**
 * Finds out whose an entity is. The entity knows, or else the store where no worker answers.
 * @throws Rejected `absent`, `no_answer`
 */
async function ownerOf({ reeve, store }: ServiceParts, ref: EntityRef): Promise<string | undefined> {
  try {
    return (await reeve.read(ref)).snapshot.tenant;
  } catch (thrown) {
    const row = isUnanswered(thrown) ? await store?.entity(ref) : undefined;
    if (!row) throw thrown;
    return tenantOfRow(row);
  }
}

/**
 * Finds out on what an operation was opened. Its workflow knows, or else the store where that is gone or no worker answers.
 * @throws Rejected
 */
async function findOperation(
  parts: ServiceParts,
  target: OperationTarget,
): Promise<
  Pick<OperationTarget, 'on'> & {
    readonly origin: OperationOrigin;
    readonly state: OperationReading['state'];
    readonly execution: ReturnType<typeof executionOf>;
  }
> {
  try {
    const { reading, on } = await lookForOperation(parts, target);
    const execution = executionOfOperation(parts, target.id, reading, on);
    return { origin: originOf(reading, on), state: reading.state, on, execution };
  } catch (thrown) {
    const row = isUnanswered(thrown) || isAbsent(thrown) ? await parts.store?.operation(target.id) : undefined;
    if (!row) throw thrown;
    const execution = executionOf(parts, row.workflow_id);
    return {
      origin: originOfRow(row),
      state: row.workflow_end_time === null ? 'running' : 'settled',
      on: target.on,
      execution,
    };
  }
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Rejected && thrown.code === 'absent';
}

function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof Rejected && thrown.code === 'no_answer';
}
