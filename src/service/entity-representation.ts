import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../definition/entity.js';
import { currentOperation } from '../kernel/decide.js';
import { stuckEntity, type Stuck } from '../kernel/explain/stuck.js';
import { entityRecord } from '../kernel/entity-record.js';
import { stateOf } from '../kernel/step.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { StoreViews } from '../store/index.js';
import { jsonSchemaOf } from './declared-schema.js';
import { executionSchema, isoTime, pathOfOperation } from './operation-representation.js';

const time = z.iso.datetime({ offset: true });
const stuckSchema = z.object({ reason: z.string(), message: z.string(), what_to_do: z.string() });
const errorSchema = z.object({ code: z.string(), message: z.string() });

/** What only the entity itself tells, beside all that its row has. */
const liveShape = {
  id: z.string().openapi({ description: 'Type and key.' }),
  running: z.object({ action: z.string(), since: time }).nullable().openapi({ description: 'The action that runs.' }),
  attempt: z.number().int().nullable().openapi({ description: 'Of the automatic action, from 1 on; 0 before.' }),
  attempts: z.number().int().nullable().openapi({ description: 'How often the action of its state is tried at most.' }),
  next_attempt_time: time.nullable(),
  exhausted: z.boolean().openapi({ description: 'An action has used up its attempts.' }),
  stuck: stuckSchema.nullable().openapi({
    description:
      'Why it does not get on until a person acts. Its `explanation` also says what is stuck of all that it waits for.',
  }),
  last_error: errorSchema.nullable(),
  waiting: z
    .array(z.object({ event: z.string(), operation: z.string() }))
    .openapi({ description: 'Events that wait.' }),
  reserved_by: z.object({ entity: z.string(), until: time }).nullable(),
  successors: z.array(
    z.object({
      entity: z.string(),
      role: z.string().nullable(),
      event: z.string(),
      state: z.string().nullable(),
      rejected: z.string().nullable().openapi({ description: 'The code with which the event was rejected.' }),
    }),
  ),
  stale: z.boolean().openapi({ description: 'No worker answers: this is how it was when it last told the store.' }),
};

/** The same, as what can be asked of it. S6.2 */
export const liveSchema = z.object(liveShape);

/** An entity as it is read: all that the lists have of it, by the same names, and what only it can tell. S6.1 */
export function entitySchema(entity: AnyEntity) {
  const declared = (schema: z.ZodType) => z.unknown().openapi({ ...jsonSchemaOf(schema, 'output') });
  const links = Object.entries(entity.links).map(([name, { to, many }]) => {
    const description = `Key of ${many ? 'each' : 'a'} ${to}.`;
    return [name, (many ? z.array(z.string()) : z.string()).optional().openapi({ description })] as const;
  });
  const subordinates = Object.entries(entity.subordinates).map(
    ([name, schema]) => [name, z.record(z.string(), declared(schema)).optional()] as const,
  );
  const dimensions = Object.keys(entity.dimensions).map((name) => [name, z.string().nullable()] as const);
  return z
    .object({
      '@odata.context': z.string().optional(),
      '@odata.etag': z.string().optional(),
      type: z.string(),
      key: z.string(),
      life: z.string().openapi({ description: 'A key that is used again is another life.' }),
      version: z.number().int().openapi({ description: 'Grows by one with each transition.' }),
      state: z.enum(Object.keys(entity.states)),
      health: z.enum(['normal', 'error']),
      settled: z.boolean().openapi({ description: 'At rest in a state that is not waiting; else it is in progress.' }),
      stuck_since: time.nullable().openapi({ description: 'From when on it does not get on until a person acts.' }),
      deleted: z.boolean(),
      operation: z.string().nullable().openapi({ description: 'The request id of what runs on it.' }),
      'current_operation@odata.navigationLink': z.string().optional().openapi({ description: 'Where that is read.' }),
      born_time: time,
      state_entry_time: time.openapi({ description: 'When it came into its state.' }),
      properties: declared(entity.properties),
      links: z.object(Object.fromEntries(links)),
      subordinates: z.object(Object.fromEntries(subordinates)),
      said_time: time.openapi({ description: 'When it said this.' }),
      ...Object.fromEntries(dimensions),
      ...liveShape,
      '@reeve.execution': executionSchema,
    })
    .openapi(entity.name);
}

type Live = z.output<typeof liveSchema>;

/** An entity for those outside, beside its dimensions. Times are ISO 8601. */
export interface EntityRepresentation extends Live {
  readonly type: string;
  readonly key: string;
  readonly life: string;
  readonly version: number;
  readonly state: string;
  readonly health: string;
  readonly settled: boolean;
  readonly stuck_since: string | null;
  readonly deleted: boolean;
  /** The request id of what runs on it. */
  readonly operation: string | null;
  readonly born_time: string;
  readonly state_entry_time: string;
  readonly properties: unknown;
  readonly links: unknown;
  readonly subordinates: unknown;
  readonly said_time: string;
}

/** The representation of an entity that has answered, now (milliseconds since 1970). */
export function representEntity(entity: AnyEntity, snapshot: Snapshot, now: number): EntityRepresentation {
  const { bornAt, enteredAt, settled, stuckSince, deleted, health, at, dimensions } = entityRecord(
    entity,
    snapshot,
    now,
  );
  const { type, key, life, version, state, properties, links, subordinates } = snapshot;
  return {
    ...{ type, key, life, version, state, health, settled, deleted },
    stuck_since: stuckSince === undefined ? null : isoTime(stuckSince),
    ...operationMembers(currentOperation(snapshot)),
    born_time: isoTime(bornAt),
    state_entry_time: isoTime(enteredAt),
    ...{ properties, links, subordinates },
    said_time: isoTime(at),
    ...dimensionMembers(entity, dimensions),
    ...liveMembers(entity, snapshot),
  };
}

function liveMembers(entity: AnyEntity, snapshot: Snapshot): Live {
  const stuck = stuckEntity(entity, snapshot);
  const { attempt, exhausted, running, reservation, lastError, nextAttemptAt, successors, waiting } = snapshot;
  return {
    id: entityId(snapshot),
    running: running ? { action: running.action, since: isoTime(running.startedAt) } : null,
    attempt,
    attempts: stateOf(entity, snapshot).retry?.attempts ?? null,
    next_attempt_time: nextAttemptAt === undefined ? null : isoTime(nextAttemptAt),
    exhausted,
    stuck: stuckMember(stuck),
    last_error: lastError ? { code: lastError.code, message: lastError.message } : null,
    waiting: waiting.map(({ id, event, operation = id }) => ({ event, operation })),
    reserved_by: reservation ? { entity: entityId(reservation.owner), until: isoTime(reservation.until) } : null,
    successors: successors.map(({ role = null, event, outcome, ...ref }) => ({
      ...{ entity: entityId(ref), role, event },
      state: outcome?.state ?? null,
      rejected: outcome?.rejection?.code ?? null,
    })),
    stale: false,
  };
}

/** The representation of an entity for which no worker answers. S5.2 */
export function representRow(entity: AnyEntity, row: StoreViews['entities'], stuck?: Stuck): EntityRepresentation {
  const { type, key, life, version, state, health, settled, deleted, operation, properties, links, subordinates } = row;
  return {
    ...{ type, key, life, version, state, health, settled, deleted },
    stuck_since: stuck ? isoTime(stuck.since) : (row.stuck_since?.toISOString() ?? null),
    ...operationMembers(operation ?? undefined),
    born_time: row.born_time.toISOString(),
    state_entry_time: row.state_entry_time.toISOString(),
    ...{ properties, links, subordinates },
    said_time: row.said_time.toISOString(),
    ...dimensionMembers(entity, row),
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
      ...{ last_error: null, waiting: [], reserved_by: null, successors: [], stale: true },
    } satisfies Live),
  };
}

function stuckMember(stuck: Stuck | undefined): Live['stuck'] {
  if (!stuck) return null;
  const { reason, message, whatToDo } = stuck;
  return { reason, message, what_to_do: whatToDo };
}

function operationMembers(operation: string | undefined) {
  if (operation === undefined) return { operation: null };
  return { operation, 'current_operation@odata.navigationLink': pathOfOperation(operation) };
}

/** As its row has them. */
function dimensionMembers({ dimensions }: AnyEntity, values: object): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.keys(dimensions).map((name) => {
      const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
      return [name, typeof value === 'string' ? value : null];
    }),
  );
}
