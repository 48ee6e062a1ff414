import { entityId } from './names.js';
import type { EventRecord, OperationRecord, StoreRecord } from './records.js';

/** The operation that has ended with its one event, or nothing: workflows tell of other operations. */
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
    settledOn: entityId(entity),
  };
}

/** A record, with the operation that has ended with it, if it tells of one. */
export function withOperation(record: StoreRecord): readonly StoreRecord[] {
  const operation = record.kind === 'event' ? endedOperation(record) : undefined;
  return operation ? [record, operation] : [record];
}
