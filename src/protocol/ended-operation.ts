import { entityId } from './names.js';
import type { EventRecord, OperationRecord } from './records.js';

/** The operation that has ended with its one event, or nothing: others are told by their workflows. */
export function endedOperation(record: EventRecord): OperationRecord | undefined {
  const { operation, event, entity, startedAt, startOrder, endedAt, restarts, dimensions, ends } = record;
  if (!ends || endedAt === undefined) return undefined;
  const name = `${event} ${entityId(entity)}`;
  return {
    kind: 'operation',
    id: operation,
    name,
    startedAt,
    ...(startOrder !== undefined && { startOrder }),
    answeredAt: endedAt,
    endedAt,
    ...ends,
    restarts,
    dimensions,
  };
}
