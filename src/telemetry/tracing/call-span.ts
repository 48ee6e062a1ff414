import { randomBytes } from 'node:crypto';
import type { ObservedCall } from '../../temporal/call-observer.js';
import { eventSpanId, operationSpanId, type TraceSpan } from './trace-span.js';

/** A resource call in the trace of its operation, within the event for which it is made. Nothing without an operation. S5.5 */
export function spanOfCall(call: ObservedCall): TraceSpan | undefined {
  const { activity, entity, operation, event, idempotencyKey, attempt, startedAt, endedAt, error } = call;
  if (operation === undefined) return undefined;
  return {
    ...{ name: activity, kind: 'client', operation, startedAt, endedAt },
    spanId: randomBytes(8).toString('hex'),
    parentId: event === undefined ? operationSpanId(operation) : eventSpanId(operation, entity, event),
    attributes: {
      ...{ 'reeve.operation': operation, 'reeve.entity': entity, 'reeve.attempt': attempt },
      'reeve.idempotency_key': idempotencyKey,
    },
    ...(error !== undefined && { error }),
  };
}
