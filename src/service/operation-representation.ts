import { z } from '@hono/zod-openapi';
import type { OperationReading } from '../client/operation-reading.js';
import type { CancelRefusal, OperationError, Participant } from '../operations/status.js';
import { type EngagementOutcome, errorOfOnly, outcomeOfOnly } from '../protocol/outcome.js';
import type { Rejection } from '../protocol/rejection.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { StoreViews } from '../store/index.js';

const time = z.iso.datetime({ offset: true }).nullable();

/** The address where a person looks at what carries it out. S5.6 */
export const executionSchema = z
  .string()
  .optional()
  .openapi({ format: 'uri', description: "The address of its workflow in Temporal's UI, if that is known." });

/** The properties that only the operation itself tells, in addition to all that its row has. */
const liveShape = {
  hung: z.boolean().openapi({ description: '`true` if it exceeds its budget.' }),
  cancel: z.enum(['none', 'requested', 'honoured', 'refused']).nullable().openapi({
    description: '`refused` if all that were asked have refused: it continues, and may be asked again.',
  }),
  cancel_refusals: z
    .array(
      z.object({
        ...{ entity: z.string(), event: z.string(), code: z.string(), message: z.string() },
        time: z.iso.datetime({ offset: true }),
      }),
    )
    .openapi({ description: 'The participants that have refused to cancel, with the reason and the time.' }),
  waits_behind: z.string().nullable().openapi({ description: 'The action whose end its event waits for.' }),
  open: z.number().int().nullable().openapi({ description: 'The number of open events and reports.' }),
  participants: z.array(
    z.object({
      entity: z.string(),
      state: z.string(),
      version: z.number().int(),
      health: z.enum(['normal', 'error']),
      waiting: z.boolean().openapi({ description: '`true` if it waits for successors or an answer.' }),
      lost: z.boolean(),
    }),
  ),
  errors: z.array(z.object({ entity: z.string(), event: z.string(), code: z.string(), message: z.string() })),
  stale: z
    .boolean()
    .openapi({ description: '`true` if this is from the store, because there is no workflow or no worker is up.' }),
  rejection: z
    .looseObject({ code: z.string(), message: z.string() })
    .nullable()
    .openapi({ description: 'The rejection of its event, if that had waited and was then rejected.' }),
};

/** The same shape as a schema, for what a query can ask of it. S6.2 */
export const liveOperationSchema = z.object(liveShape);

/**
 * The schema of a long-running operation: what the lists have of it, by the same names, and what only the operation can tell.
 * S4.7, S6.1
 */
export const operationSchema = z
  .object({
    '@odata.context': z.string().optional(),
    request_id: z.string().openapi({ description: 'The id that names it everywhere.' }),
    name: z.string().nullable().openapi({ example: 'create LogicalServer/orders' }),
    outcome: z.enum(['running', 'success', 'failed', 'canceled']),
    workflow_start_time: time,
    workflow_end_time: time,
    ...liveShape,
    '@reeve.execution': executionSchema,
  })
  .openapi('Operation');

export type OperationRepresentation = z.output<typeof operationSchema>;

/**
 * The path where an operation is followed. `on` is the entity on which it was opened: that knows the operation before it appears,
 * and also when it has settled at once.
 */
export function pathOfOperation(operation: string, on?: EntityRef): string {
  const path = `/api/operations/${encodeURIComponent(operation)}`;
  return on ? `${path}?on=${encodeURIComponent(entityId(on))}` : path;
}

export function representOperation(id: string, reading: OperationReading, on?: EntityRef): OperationRepresentation {
  switch (reading.state) {
    case 'beginning':
      return representBeginning(id);
    case 'settled':
      return representSettled(id, reading.event, reading.outcome, on);
    case 'running': {
      const { name, hung, cancel, startedAt, items, participants, errors, refusals } = reading.status;
      return {
        ...unknown(id),
        ...{ name, hung, cancel },
        cancel_refusals: representRefusals(refusals),
        workflow_start_time: isoTime(startedAt),
        open: items.filter(({ state }) => state === 'open').length,
        participants: Object.values(participants).map(representParticipant),
        errors: errors.map(representError),
      };
    }
    case 'ended': {
      const { name, outcome, startedAt, endedAt, participants, errors, rejection, refusals } = reading.result;
      return {
        ...unknown(id),
        ...{ name, outcome },
        cancel_refusals: representRefusals(refusals),
        workflow_start_time: isoTime(startedAt),
        workflow_end_time: isoTime(endedAt),
        participants: participants.map(representParticipant),
        errors: errors.map(representError),
        rejection: rejection ? { ...rejection } : null,
      };
    }
  }
}

/** Represents an operation that was accepted a moment ago, or whose event waits behind something. */
export function representBeginning(id: string, waitsBehind?: string): OperationRepresentation {
  return { ...unknown(id), waits_behind: waitsBehind ?? null };
}

/** Represents an operation that was over before its answer. */
export function representSettled(
  id: string,
  event: string,
  outcome: EngagementOutcome,
  on?: EntityRef,
): OperationRepresentation {
  const { state, version, health, waiting, rejection } = outcome;
  const entity = on ? entityId(on) : '';
  const error = errorOfOnly(outcome);
  return {
    ...unknown(id),
    outcome: outcomeOfOnly(outcome),
    participants: [{ entity, state, version, health, waiting, lost: false }],
    errors: error ? [{ entity, event, code: error.code, message: error.message }] : [],
    rejection: rejection ? { ...(rejection satisfies Rejection) } : null,
  };
}

/** Represents an operation as the store has it. S5.2 */
export function representStored({
  request_id,
  name,
  outcome,
  ...times
}: StoreViews['operations']): OperationRepresentation {
  return {
    ...unknown(request_id),
    ...{ name, hung: outcome === 'hung' },
    outcome: outcome === 'success' || outcome === 'failed' || outcome === 'canceled' ? outcome : 'running',
    workflow_start_time: times.workflow_start_time.toISOString(),
    workflow_end_time: times.workflow_end_time?.toISOString() ?? null,
    stale: true,
  };
}

/** Represents an operation of which only the id is known. */
function unknown(request_id: string): OperationRepresentation {
  return {
    ...{ request_id, name: null, outcome: 'running', workflow_start_time: null, workflow_end_time: null },
    ...{ hung: false, cancel: null, waits_behind: null, open: null, participants: [], errors: [], stale: false },
    ...{ cancel_refusals: [], rejection: null },
  };
}

/** A time in milliseconds since 1970, in ISO 8601. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function representParticipant({ type, key, state, version, health, waiting, lost = false }: Participant) {
  return { entity: entityId({ type, key }), state, version, health, waiting, lost };
}

function representError({ entity, event, code, message }: OperationError) {
  return { entity, event, code, message };
}

function representRefusals(refusals: readonly CancelRefusal[] = []) {
  return refusals.map(({ at, ...refusal }) => ({ ...refusal, time: isoTime(at) }));
}
