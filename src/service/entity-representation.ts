import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../definition/entity.js';
import { currentOperation } from '../kernel/decide.js';
import { isAtRest, stateOf } from '../kernel/step.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { StoreViews } from '../store/index.js';
import { jsonSchemaOf } from './declared-schema.js';
import { executionSchema, isoTime, pathOfOperation } from './operation-representation.js';

const time = z.string().openapi({ format: 'date-time' });
const errorSchema = z.object({ code: z.string(), message: z.string() });

/** An entity as it is read. S6.1 */
export function entitySchema(entity: AnyEntity) {
  const declared = (schema: z.ZodType) => z.unknown().openapi({ ...jsonSchemaOf(schema, 'output') });
  const links = Object.entries(entity.links).map(([name, { to, many }]) => {
    const description = `Key of ${many ? 'each' : 'a'} ${to}.`;
    return [name, (many ? z.array(z.string()) : z.string()).optional().openapi({ description })] as const;
  });
  const subordinates = Object.entries(entity.subordinates).map(
    ([name, schema]) => [name, z.record(z.string(), declared(schema)).optional()] as const,
  );
  return z
    .object({
      id: z.string(),
      type: z.string(),
      key: z.string(),
      tenant: z.string().optional().openapi({ description: 'To whom it belongs.' }),
      life: z.string().openapi({ description: 'A key that is used again is another life.' }),
      version: z.number().int().openapi({ description: 'Grows by one with each transition.' }),
      state: z.enum(Object.keys(entity.states)),
      health: z.enum(['normal', 'error']),
      settled: z.boolean().openapi({ description: 'At rest in a state that is not waiting; else it is in progress.' }),
      operation: z.object({ id: z.string(), href: z.string() }).optional().openapi({ description: 'What runs on it.' }),
      properties: declared(entity.properties),
      links: z.object(Object.fromEntries(links)),
      subordinates: z.object(Object.fromEntries(subordinates)),
      bornAt: time,
      enteredAt: time.openapi({ description: 'When it came into its state.' }),
      running: z.object({ action: z.string(), since: time }).optional(),
      attempt: z.number().int().optional(),
      attempts: z
        .number()
        .int()
        .optional()
        .openapi({ description: 'How often the action of its state is tried at most.' }),
      nextAttemptAt: time.optional(),
      exhausted: z.boolean().openapi({ description: 'An action has used up its attempts: an operator has to act.' }),
      lastError: errorSchema.optional(),
      waiting: z.array(z.object({ event: z.string(), operation: z.string() })).optional(),
      reservedBy: z.object({ entity: z.string(), until: time }).optional(),
      successors: z
        .array(
          z.object({
            entity: z.string(),
            role: z.string().optional(),
            event: z.string(),
            state: z.string().optional(),
            rejected: z.string().optional().openapi({ description: 'The code with which the event was rejected.' }),
          }),
        )
        .optional(),
      execution: executionSchema,
      stale: z.boolean().openapi({ description: 'No worker answers: this is how it was when it last told the store.' }),
      asOf: time,
    })
    .openapi(entity.name);
}

/** An entity for those outside. Times are ISO 8601. */
export interface EntityRepresentation {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly tenant?: string;
  readonly life: string;
  readonly version: number;
  readonly state: string;
  readonly health: string;
  readonly settled: boolean;
  readonly operation?: { readonly id: string; readonly href: string };
  readonly properties: unknown;
  readonly links: unknown;
  readonly subordinates: unknown;
  readonly bornAt: string;
  readonly enteredAt: string;
  readonly running?: { readonly action: string; readonly since: string };
  readonly attempt?: number;
  readonly attempts?: number;
  readonly nextAttemptAt?: string;
  readonly exhausted: boolean;
  readonly lastError?: { readonly code: string; readonly message: string };
  readonly waiting?: readonly { readonly event: string; readonly operation: string }[];
  readonly reservedBy?: { readonly entity: string; readonly until: string };
  readonly successors?: readonly RepresentedSuccessor[];
  readonly stale: boolean;
  readonly asOf: string;
}

interface RepresentedSuccessor {
  readonly entity: string;
  readonly role?: string;
  readonly event: string;
  readonly state?: string;
  readonly rejected?: string;
}

/** The representation of an entity that has answered, now (milliseconds since 1970). */
export function representEntity(entity: AnyEntity, snapshot: Snapshot, now: number): EntityRepresentation {
  const { type, key, life, version, state, properties, links, subordinates, exhausted, running, reservation } =
    snapshot;
  const declared = stateOf(entity, snapshot);
  const attempts = declared.retry?.attempts;
  const operation = currentOperation(snapshot);
  const { lastError, nextAttemptAt, successors, waiting } = snapshot;
  return {
    ...{ id: entityId(snapshot), type, key, life, version, state },
    ...(snapshot.tenant !== undefined && { tenant: snapshot.tenant }),
    health: exhausted ? 'error' : declared.health,
    settled: isAtRest(entity, snapshot) && !declared.waiting,
    ...(operation !== undefined && { operation: linkTo(operation) }),
    ...{ properties, links, subordinates },
    bornAt: isoTime(snapshot.bornAt),
    enteredAt: isoTime(snapshot.enteredAt),
    ...(running && { running: { action: running.action, since: isoTime(running.startedAt) } }),
    ...(snapshot.attempt > 0 && { attempt: snapshot.attempt, ...(attempts !== undefined && { attempts }) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: isoTime(nextAttemptAt) }),
    exhausted,
    ...(lastError && { lastError: { code: lastError.code, message: lastError.message } }),
    ...(waiting.length > 0 && { waiting: waiting.map(({ id, event, operation = id }) => ({ event, operation })) }),
    ...(reservation && { reservedBy: { entity: entityId(reservation.owner), until: isoTime(reservation.until) } }),
    ...(successors.length > 0 && {
      successors: successors.map(({ role, event, outcome, ...ref }) => ({
        entity: entityId(ref),
        ...(role !== undefined && { role }),
        event,
        ...(outcome && { state: outcome.state }),
        ...(outcome?.rejection && { rejected: outcome.rejection.code }),
      })),
    }),
    stale: false,
    asOf: isoTime(now),
  };
}

/** The representation of an entity for which no worker answers. S5.2 */
export function representRow(row: StoreViews['entities']): EntityRepresentation {
  const { type, key, life, version, state, health, settled, operation, properties, links, subordinates } = row;
  return {
    ...{ id: entityId({ type, key }), type, key, life, version, state, health, settled },
    ...(operation !== null && { operation: linkTo(operation) }),
    ...{ properties, links, subordinates },
    bornAt: row.born_time.toISOString(),
    enteredAt: row.state_entry_time.toISOString(),
    exhausted: false,
    stale: true,
    asOf: row.said_time.toISOString(),
  };
}

function linkTo(operation: string) {
  return { id: operation, href: pathOfOperation(operation) };
}
