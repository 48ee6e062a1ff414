import type { ErrorRecord } from '../../protocol/error-record.js';
import { entityId } from '../../protocol/names.js';
import type { EventRecord, OperationRecord, TransitionRecord } from '../../protocol/records.js';
import type { EndRecord } from '../record-observer.js';
import { eventSpanId, operationSpanId, transitionSpanId, type TraceSpan } from './trace-span.js';

/** Makes a span of what is over, as a part of its operation's trace. Transitions are in their event, and events in the operation. S5.5 */
export function spanOf(record: EndRecord): TraceSpan {
  switch (record.kind) {
    case 'operation':
      return spanOfOperation(record);
    case 'event':
      return spanOfEvent(record);
    case 'transition':
      return spanOfTransition(record);
  }
}

function spanOfOperation({
  id,
  name,
  startedAt,
  endedAt = startedAt,
  outcome,
  restarts,
  error,
  summary,
}: OperationRecord): TraceSpan {
  return {
    ...{ name, kind: 'internal', operation: id, spanId: operationSpanId(id), startedAt, endedAt },
    attributes: { 'reeve.operation': id, 'reeve.outcome': outcome, 'reeve.restarts': restarts },
    ...failure(error, summary),
  };
}

function spanOfEvent(record: EventRecord): TraceSpan {
  const { id, event, operation, position, startState, endState = '', startedAt, endedAt = startedAt } = record;
  const entity = entityId(record.entity);
  return {
    ...{ name: `${event} ${entity}`, kind: 'internal', operation, startedAt, endedAt },
    spanId: eventSpanId(operation, entity, id),
    parentId: operationSpanId(operation),
    attributes: {
      ...{ 'reeve.operation': operation, 'reeve.entity': entity, 'reeve.event': id, 'reeve.position': position },
      ...{ 'reeve.event_type': record.eventType, 'reeve.start_state': startState, 'reeve.end_state': endState },
    },
    ...(record.endHealth === 'error' || record.error?.kind === 'rejected' ? failure(record.error) : {}),
  };
}

function spanOfTransition(record: TransitionRecord): TraceSpan {
  const { operation, version, action = 'created', startState, endState, outcome, startedAt, at } = record;
  const entity = entityId(record.entity);
  return {
    ...{ name: `${action} ${entity}`, kind: 'internal', operation, startedAt, endedAt: at },
    spanId: transitionSpanId(record.entity.life, version),
    parentId: eventSpanId(operation, entity, record.event),
    attributes: {
      ...{ 'reeve.operation': operation, 'reeve.entity': entity, 'reeve.version': version, 'reeve.outcome': outcome },
      ...{ 'reeve.start_state': startState, 'reeve.end_state': endState, 'reeve.retries': record.retries },
    },
    ...failure(record.error),
  };
}

function failure(error: ErrorRecord | undefined, message = error?.message) {
  return error && { error: `${error.code}: ${message}` };
}
