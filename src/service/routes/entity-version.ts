import { z } from '@hono/zod-openapi';
import { displayNamesOf } from '../../definition/display-name.js';
import type { AnyEntity } from '../../definition/entity.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { EntityVersion } from '../../store/index.js';
import { rolesForAccess } from '../access.js';
import { permit, type ServiceContext } from '../context.js';
import { pathOfType, type EntityModule } from '../module.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { NO_STORE, type ServiceStore } from '../service-store.js';
import { tenantOfRow } from '../tenant-of-row.js';
import { keyParameter, numberText, plainText } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const perhaps = z.string().nullable();
const values = z.record(z.string(), z.unknown());

const versionSchema = z
  .object({
    type: z.string(),
    key: z.string(),
    life: z.string(),
    version: z.number().int(),
    state: z.string().openapi({ example: 'Ready' }),
    'state@reeve.displayName': z.string().optional(),
    health: z.string(),
    time: z.iso.datetime().openapi({ description: 'The time since which it was so.' }),
    until_time: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'The time of the next version; null for the latest one.' }),
    operation: z.string().openapi({ description: 'The request id of the operation that led to it.' }),
    event: perhaps.openapi({ example: 'create' }),
    action_name: perhaps,
    outcome: z.string().openapi({ description: 'The outcome of the action that led to it.', example: 'success' }),
    properties: values.openapi({ description: 'Its properties, by the schema that it had at that version.' }),
    links: values,
    subordinates: z
      .record(z.string(), values)
      .openapi({ description: 'The members of its collections; empty collections are left out.' }),
    left_out: z.array(z.string()).openapi({
      description: 'The parts that were too large to be stored with each version, and are missing in this answer.',
      example: ['properties.text'],
    }),
  })
  .openapi('EntityAsOf');

export type EntityAsOf = z.output<typeof versionSchema>;

/** Serves how an entity was at one of its versions: `GET .../LogicalServer/orders/as-of/7`. S5.1 */
export function serveEntityVersion(
  app: ServiceApp,
  parts: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
): void {
  const store = parts.store ?? NO_STORE;
  const route = {
    method: 'get',
    path: `${pathOfType(module, entity.name)}/{key}/as-of/{version}`,
    roles: rolesForAccess(entity, { action: 'read' }),
    operationId: `read${entity.name}AsOf`,
    tag: entity.name,
    summary: `Read a ${entity.name} at a version`,
    description: 'From the store, with a short delay, also for a deleted entity.',
    request: {
      params: keyParameter(entity).extend({ version: numberText }),
      query: z.object({
        life: plainText(200).optional().openapi({
          description:
            'For a key that was deleted and created again: the id of an earlier life. Default: the latest one.',
        }),
      }),
    },
    responses: { 200: jsonResponse('Its representation at that time.', versionSchema) },
    problems: [504],
  } as const;
  serve(app, route, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    permit(context, { action: 'read', entity: ref });
    const number = Number(context.req.param('version'));
    const found = await store.entityVersion(ref, number, context.req.query('life'));
    if (!found) throw await noVersion(context, store, ref, number);
    context.var.guard.own(found.row.tenant ?? undefined);
    return context.json(represent(entity, ref, found), 200);
  });
}

/** Makes the problem for a version that is not there, for those who may be told of the entity itself. */
async function noVersion(
  context: ServiceContext,
  store: ServiceStore,
  ref: EntityRef,
  version: number,
): Promise<ProblemError> {
  const row = await store.entity(ref);
  if (!row) return context.var.guard.absent();
  context.var.guard.own(tenantOfRow(row));
  const message = `${entityId(ref)} has no version ${version} in the store. Its version is ${row.version}.`;
  return new ProblemError('no_version', message, { entity: entityId(ref) });
}

/** @throws ProblemError 404 */
function represent(entity: AnyEntity, ref: EntityRef, { row, until, held }: EntityVersion): EntityAsOf {
  if (!held) {
    const message =
      `The contents of ${entityId(ref)} at version ${row.version} are unknown: earlier changes are missing in the store. ` +
      'The store has all versions of entities that were created after it began to keep changes.';
    throw new ProblemError('contents_unknown', message, { entity: entityId(ref), state: row.state });
  }
  const { life, version, state, health, operation, event, action_name, outcome, time } = row;
  const { properties, links, subordinates, leftOut } = held;
  const displayName = displayNamesOf(entity).states[state];
  return {
    ...{ ...ref, life, version, state, ...(displayName !== undefined && { 'state@reeve.displayName': displayName }) },
    ...{ health, time: time.toISOString(), until_time: until?.toISOString() ?? null },
    ...{ operation, event, action_name, outcome, properties, links, left_out: [...leftOut] },
    subordinates: { ...subordinates },
  };
}
