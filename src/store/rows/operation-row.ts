import type { OperationRecord } from '../../protocol/records.js';
import { hash53 } from '../hash.js';
import { surrogate } from '../surrogate.js';
import { filledColumns } from '../writing/filled-columns.js';
import type { Row, Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';
import type { RowError } from './error-row.js';

interface Source {
  readonly record: OperationRecord;
  readonly kept: boolean;
  readonly error: RowError;
}

const COLUMNS = filledColumns<Source>({
  request_id: ['text', ({ record }) => record.id],
  operation_id: [
    'bigint',
    ({ record }) => surrogate(record.startedAt, hash53(entityIn(record.name)), record.startOrder),
  ],
  name: ['text', ({ record }) => record.name],
  started_at: ['time', ({ record }) => record.startedAt],
  answered_at: ['time', ({ record }) => record.answeredAt],
  ended_at: ['time', ({ record }) => record.endedAt],
  outcome: ['text', ({ record }) => (record.outcome === 'running' ? null : record.outcome)],
  stage: ['smallint', ({ record }) => stageOf(record)],
  error_id: ['bigint', ({ error }) => error.id],
  error_text: ['text', ({ error }) => error.text],
  restarts: ['integer', ({ record }) => record.restarts],
  dimensions: ['jsonb', ({ record }) => dimensionValues(record.dimensions)],
  kept: ['boolean', ({ kept }) => kept],
  settled_on: ['text', ({ record }) => record.settledOn],
});

export const OPERATIONS: Table = {
  name: 'operations',
  columns: COLUMNS.types,
  key: ['request_id'],
  newest: ['stage', 'restarts', 'started_at'],
  surrogate: 'operation_id',
  sticky: 'kept',
};

/** The stages of an operation in their order: a row of a later stage is newer. */
const RUNNING = 0;
const HUNG = 1;
const ENDED = 2;

export function operationRow(record: OperationRecord, kept: boolean, error: RowError): Row {
  return COLUMNS.row({ record, kept, error });
}

function stageOf({ endedAt, outcome }: OperationRecord): number {
  if (endedAt !== undefined) return ENDED;
  return outcome === 'hung' ? HUNG : RUNNING;
}

/** The entity in the name of an operation: `LogicalServer/orders` in `create LogicalServer/orders`. */
function entityIn(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}
