import { z } from '@hono/zod-openapi';
import type { SeenStuck } from '../client/explain/explanation.js';
import { displayNamesOf } from '../definition/display-name.js';
import type { AnyEntity } from '../definition/entity.js';
import { currentOperation, entityRecord, stateOf, stuckEntity } from '../kernel/index.js';
import { entityId } from '../protocol/names.js';
import { schemaVersionOf, type Failure, type Snapshot } from '../protocol/snapshot.js';
import type { StoreViews } from '../store/index.js';
import { jsonSchemaOf, propertiesSchemaOf } from './declared-schema.js';
import { keyPartNames, keyPartValues } from './lists/key-part-names.js';
import { liveShape, time, type liveSchema } from './live-schema.js';
import { executionSchema, isoTime, pathOfOperation } from './operation-representation.js';

/** The display name stands beside the state, as an OData annotation of it. */
const STATE_FOR_PEOPLE = 'state@reeve.displayName';

/**
 * The schema of an entity as it is read: all that the lists have of it, by the same names, and what only the entity can tell.
 * S6.1
 */
function entitySchema(entity: AnyEntity) {
  const declared = (schema: z.ZodType) => z.unknown().openapi({ ...jsonSchemaOf(schema, 'output') });
  const links = Object.entries(entity.links).map(([name, { to, many }]) => {
    const description = `Key of ${many ? 'each' : 'a'} ${to}.`;
    return [name, (many ? z.array(z.string()) : z.string()).optional().openapi({ description })] as const;
  });
  const subordinates = Object.entries(entity.subordinates).map(
    ([name, schema]) => [name, z.record(z.string(), declared(schema)).optional()] as const,
  );
  const parts = keyPartNames(entity).map(({ name, schema }) => [name, declared(schema)] as const);
  const dimensions = Object.keys(entity.dimensions).map((name) => [name, z.string().nullable()] as const);
  return z
    .object({
      '@odata.context': z.string().optional(),
      '@odata.etag': z.string().optional(),
      type: z.string(),
      key: z.string(),
      life: z.string().openapi({ description: 'Another entity under the same key has another value.' }),
      version: z.number().int().openapi({ description: 'A number that grows by one with each transition.' }),
      state: z.enum(Object.keys(entity.states)).openapi({ ...describeStates(entity) }),
      [STATE_FOR_PEOPLE]: z
        .string()
        .optional()
        .openapi({ description: 'The display name of the state, if it has one.' }),
      health: z.enum(['normal', 'error']),
      settled: z.boolean().openapi({
        description: '`true` if nothing runs on it, and no event waits. `false` if it is in progress.',
      }),
      stuck_since: time.nullable().openapi({ description: 'When it began to need an operator to make progress.' }),
      deleted: z.boolean(),
      operation: z.string().nullable().openapi({ description: 'The request id of the operation that runs on it.' }),
      'current_operation@odata.navigationLink': z
        .string()
        .optional()
        .openapi({ description: 'The address of that operation.' }),
      schema: z.int().openapi({ description: 'The number of its schema.' }),
      created_time: time,
      state_entry_time: time.openapi({ description: 'The time of its entry into the state.' }),
      properties: z.unknown().openapi({ ...propertiesSchemaOf(entity) }),
      links: z.object(Object.fromEntries(links)),
      subordinates: z.object(Object.fromEntries(subordinates)),
      reported_time: time.openapi({ description: 'The time of this report.' }),
      ...Object.fromEntries([...dimensions, ...parts]),
      ...liveShape,
      '@reeve.execution': executionSchema,
    })
    .openapi(entity.name);
}

/** The schema of a read: the entity, or what `$select` has taken of it. S6.2 */
export function readSchema(entity: AnyEntity): z.ZodType {
  const whole = entitySchema(entity);
  return z.union([whole, whole.partial().openapi(`Selected${entity.name}`)]);
}

/** Describes the states that have a display name. */
function describeStates(entity: AnyEntity): { readonly description?: string } {
  const named = Object.entries(displayNamesOf(entity).states).map(
    ([name, displayName]) => `\`${name}\`: ${displayName}`,
  );
  return named.length > 0 ? { description: named.join('; ') } : {};
}

type Live = z.output<typeof liveSchema>;

/** An entity for those outside, without its dimensions and the parts of its key. Times are in ISO 8601. */
export interface EntityRepresentation extends Live {
  readonly '@reeve.execution'?: string | undefined;
  readonly type: string;
  readonly key: string;
  readonly life: string;
  readonly version: number;
  /** The schema of the declaration to which it has come. Q2 */
  readonly schema: number;
  readonly state: string;
  readonly [STATE_FOR_PEOPLE]?: string;
  readonly health: string;
  readonly settled: boolean;
  readonly stuck_since: string | null;
  readonly deleted: boolean;
  /** The request id of the operation that runs on it. */
  readonly operation: string | null;
  readonly created_time: string;
  readonly state_entry_time: string;
  readonly properties: unknown;
  readonly links: unknown;
  readonly subordinates: unknown;
  readonly reported_time: string;
}

/** The representation of an entity that has answered. `now` is in milliseconds since 1970. */
export function representEntity(entity: AnyEntity, snapshot: Snapshot, now: number): EntityRepresentation {
  const { bornAt, enteredAt, settled, stuckSince, deleted, health, at, dimensions } = entityRecord(
    entity,
    snapshot,
    now,
  );
  const { type, key, life, version, state, properties, links, subordinates } = snapshot;
  return {
    ...{ type, key, life, version, schema: schemaVersionOf(snapshot) },
    ...{ ...stateMembers(entity, state), health, settled, deleted },
    stuck_since: stuckSince === undefined ? null : isoTime(stuckSince),
    ...operationMembers(currentOperation(snapshot)),
    created_time: isoTime(bornAt),
    state_entry_time: isoTime(enteredAt),
    ...{ properties, links, subordinates },
    reported_time: isoTime(at),
    ...dimensionMembers(entity, dimensions),
    ...keyPartValues(entity, key),
    ...liveMembers(entity, snapshot),
  };
}

function liveMembers(entity: AnyEntity, snapshot: Snapshot): Live {
  const stuck = stuckEntity(entity, snapshot);
  const { attempt, exhausted, running, reservation, lastError, failure, nextAttemptAt, successors, waiting } = snapshot;
  return {
    id: entityId(snapshot),
    running: running ? { action: running.action, since: isoTime(running.startedAt) } : null,
    attempt,
    attempts: stateOf(entity, snapshot).retry?.attempts ?? null,
    next_attempt_time: nextAttemptAt === undefined ? null : isoTime(nextAttemptAt),
    exhausted,
    stuck: stuckMember(stuck),
    last_error: lastError ? { code: lastError.code, message: lastError.message } : null,
    last_failure: failure ? failureMember(failure) : null,
    waiting: waiting.map(({ id, event, operation = id }) => ({ event, operation })),
    reserved_by: reservation ? { entity: entityId(reservation.owner), until: isoTime(reservation.until) } : null,
    successors: successors.map(({ role = null, event, operation: of, outcome, ...ref }) => ({
      ...{ entity: entityId(ref), role, event, operation: of },
      state: outcome?.state ?? null,
      rejected: outcome?.rejection?.code ?? null,
    })),
    stale: false,
  };
}

/** The representation of an entity for which no worker answers. S5.2 */
export function representRow(entity: AnyEntity, row: StoreViews['entities'], stuck?: SeenStuck): EntityRepresentation {
  const { type, key, life, version, schema, state, health, settled, deleted, operation } = row;
  const { properties, links, subordinates } = row;
  const stuckSince = stuck ? stuck.since : row.stuck_since?.getTime();
  return {
    ...{ type, key, life, version, schema, ...stateMembers(entity, state), health, settled, deleted },
    stuck_since: stuckSince === undefined ? null : isoTime(stuckSince),
    ...operationMembers(operation ?? undefined),
    created_time: row.created_time.toISOString(),
    state_entry_time: row.state_entry_time.toISOString(),
    ...{ properties, links, subordinates },
    reported_time: row.reported_time.toISOString(),
    ...dimensionMembers(entity, row),
    ...keyPartValues(entity, key),
    ...({
      ...{
        id: entityId({ type, key }),
        running: null,
        attempt: null,
        attempts: null,
        next_attempt_time: null,
        exhausted: row.settled && !row.deleted && entity.states[row.state]?.stability === 'unstable',
        stuck: stuckMember(stuck),
      },
      ...{ last_error: null, last_failure: null, waiting: [], reserved_by: null, successors: [], stale: true },
    } satisfies Live),
  };
}

function stateMembers({ states }: AnyEntity, state: string) {
  const displayName = states[state]?.displayName;
  return { state, ...(displayName !== undefined && { [STATE_FOR_PEOPLE]: displayName }) };
}

function stuckMember(stuck: SeenStuck | undefined): Live['stuck'] {
  if (!stuck) return null;
  const { reason, message, whatToDo } = stuck;
  return { reason, message, what_to_do: whatToDo };
}

function failureMember({ code, message, at, operation }: Failure): Live['last_failure'] {
  return { code, message, time: isoTime(at), operation };
}

function operationMembers(operation: string | undefined) {
  if (operation === undefined) return { operation: null };
  return { operation, 'current_operation@odata.navigationLink': pathOfOperation(operation) };
}

/** The dimensions, as the entity's row has them. */
function dimensionMembers({ dimensions }: AnyEntity, values: object): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.keys(dimensions).map((name) => {
      const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
      return [name, typeof value === 'string' ? value : null];
    }),
  );
}
