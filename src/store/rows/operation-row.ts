import type { OperationRecord } from '../../protocol/records.js';
import { hash53 } from '../hash.js';
import { surrogate } from '../surrogate.js';
import type { Row, Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';

export const OPERATIONS: Table = {
  name: 'operations',
  columns: {
    request_id: 'text',
    operation_id: 'bigint',
    name: 'text',
    started_at: 'time',
    answered_at: 'time',
    ended_at: 'time',
    outcome: 'text',
    stage: 'smallint',
    error_id: 'bigint',
    restarts: 'integer',
    dimensions: 'jsonb',
    kept: 'boolean',
  },
  key: ['request_id'],
  newest: ['stage', 'restarts', 'started_at'],
  surrogate: 'operation_id',
  sticky: 'kept',
};

/** An end is newer than none, and of those without, hung is newer than running. */
const RUNNING = 0;
const HUNG = 1;
const ENDED = 2;

export function operationRow(record: OperationRecord, kept: boolean, errorId: number | null): Row {
  const { id, name, startedAt, startOrder, answeredAt, endedAt, outcome, restarts, dimensions } = record;
  return {
    request_id: id,
    operation_id: surrogate(startedAt, hash53(entityIn(name)), startOrder),
    name,
    started_at: startedAt,
    answered_at: answeredAt,
    ended_at: endedAt ?? null,
    outcome: outcome === 'running' ? null : outcome,
    stage: endedAt !== undefined ? ENDED : outcome === 'hung' ? HUNG : RUNNING,
    error_id: errorId,
    restarts,
    dimensions: dimensionValues(dimensions),
    kept,
  };
}

/** `LogicalServer/orders`, of `create LogicalServer/orders`. */
function entityIn(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}
