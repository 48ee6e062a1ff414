import { z } from '@hono/zod-openapi';
import type { OperationReading } from '../client/operation-reader.js';
import type { OperationError, Participant } from '../operations/status.js';
import type { EngagementOutcome, Rejection } from '../protocol/messages.js';
import { errorOfOnly, outcomeOfOnly } from '../protocol/outcome.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { StoreViews } from '../store/index.js';

const time = z.string().openapi({ format: 'date-time' });

/** Where a person looks at what carries it out. S5.6 */
export const executionSchema = z
  .string()
  .optional()
  .openapi({ format: 'uri', description: "Its workflow in Temporal's UI, where that is known." });

/** A long-running operation. S4.7, S6.1 */
export const operationSchema = z
  .object({
    id: z.string(),
    name: z.string().optional().openapi({ example: 'create LogicalServer/orders' }),
    outcome: z.enum(['running', 'success', 'failed', 'canceled']),
    hung: z.boolean().openapi({ description: 'It runs longer than its budget.' }),
    cancel: z.enum(['none', 'requested', 'honoured']).optional(),
    waitsBehind: z.string().optional().openapi({ description: 'The action for whose end its event waits.' }),
    startedAt: time.optional(),
    endedAt: time.optional(),
    /** Events and reports that have yet to end. */
    open: z.number().int().optional(),
    participants: z.array(
      z.object({
        entity: z.string(),
        state: z.string(),
        version: z.number().int(),
        health: z.enum(['normal', 'error']),
        waiting: z.boolean().openapi({ description: 'It rests for its successors.' }),
        lost: z.boolean().optional(),
      }),
    ),
    errors: z.array(z.object({ entity: z.string(), event: z.string(), code: z.string(), message: z.string() })),
    stale: z.boolean().optional().openapi({ description: 'From the store: no workflow tells it, or no worker is up.' }),
    execution: executionSchema,
    rejection: z
      .looseObject({ code: z.string(), message: z.string() })
      .optional()
      .openapi({ description: 'Its event had waited, and was then rejected.' }),
  })
  .openapi('Operation');

export type OperationRepresentation = z.output<typeof operationSchema>;

/**
 * Where an operation is followed. `on` is the entity on which it was opened: it knows the operation before it appears, and
 * when it had settled at once.
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
      return representSettled(id, reading.outcome, on);
    case 'running': {
      const { name, hung, cancel, startedAt, items, participants, errors } = reading.status;
      return {
        ...{ id, name, outcome: 'running', hung, cancel },
        startedAt: isoTime(startedAt),
        open: items.filter(({ state }) => state === 'open').length,
        participants: Object.values(participants).map(representParticipant),
        errors: errors.map(representError),
      };
    }
    case 'ended': {
      const { name, outcome, startedAt, endedAt, participants, errors, rejection } = reading.result;
      return {
        ...{ id, name, outcome, hung: false },
        startedAt: isoTime(startedAt),
        endedAt: isoTime(endedAt),
        participants: participants.map(representParticipant),
        errors: errors.map(representError),
        ...(rejection && { rejection: { ...rejection } }),
      };
    }
  }
}

/** An operation that was accepted a moment ago, or whose event waits behind something. */
export function representBeginning(id: string, waitsBehind?: string): OperationRepresentation {
  const begun = { id, outcome: 'running' as const, hung: false, participants: [], errors: [] };
  return { ...begun, ...(waitsBehind !== undefined && { waitsBehind }) };
}

/** An operation that was over before its answer. */
export function representSettled(id: string, outcome: EngagementOutcome, on?: EntityRef): OperationRepresentation {
  const { state, version, health, waiting, rejection } = outcome;
  const entity = on ? entityId(on) : '';
  const error = errorOfOnly(outcome);
  return {
    ...{ id, outcome: outcomeOfOnly(outcome), hung: false },
    participants: [{ entity, state, version, health, waiting }],
    errors: error ? [{ entity, event: '', code: error.code, message: error.message }] : [],
    ...(rejection && { rejection: { ...(rejection satisfies Rejection) } }),
  };
}

/** An operation as the store has it. S5.2 */
export function representStored({
  request_id,
  name,
  outcome,
  ...times
}: StoreViews['operations']): OperationRepresentation {
  const end = times.workflow_end_time;
  return {
    ...{ id: request_id, name, hung: outcome === 'hung' },
    outcome: outcome === 'success' || outcome === 'failed' || outcome === 'canceled' ? outcome : 'running',
    startedAt: times.workflow_start_time.toISOString(),
    ...(end !== null && { endedAt: end.toISOString() }),
    ...{ participants: [], errors: [], stale: true },
  };
}

/** Milliseconds since 1970 as people and programs read them. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function representParticipant({ type, key, state, version, health, waiting, lost }: Participant) {
  return { entity: entityId({ type, key }), state, version, health, waiting, ...(lost && { lost }) };
}

function representError({ entity, event, code, message }: OperationError) {
  return { entity, event, code, message };
}
