import type { InstanceRecord } from '../../protocol/instance-record.js';
import { filledColumns } from '../writing/filled-columns.js';
import type { Row, Table } from '../writing/table.js';

interface Source {
  readonly record: InstanceRecord;
  readonly kept: boolean;
}

const COLUMNS = filledColumns<Source>({
  life: ['text', ({ record }) => record.life],
  name: ['text', ({ record }) => record.name],
  target: ['text', ({ record }) => record.target],
  type: ['text', ({ record }) => record.type],
  instance: ['bigint', ({ record }) => record.instance],
  object: ['text', ({ record }) => record.object],
  request_id: ['text', ({ record }) => record.operation],
  state: ['text', ({ record }) => record.state],
  outcome: ['text', ({ record }) => record.outcome],
  started_at: ['time', ({ record }) => record.startedAt],
  ended_at: ['time', ({ record }) => record.endedAt],
  ended: ['boolean', ({ record }) => record.endedAt !== undefined],
  reading: ['jsonb', ({ record }) => record.reading],
  at: ['time', ({ record }) => record.at],
  kept: ['boolean', ({ kept }) => kept],
});

export const INSTANCES: Table = {
  name: 'distributed_operations',
  columns: COLUMNS.types,
  key: ['life'],
  newest: ['ended', 'at'],
  sticky: 'kept',
  writtenAt: 'written_at',
};

export function instanceRow(record: InstanceRecord, kept: boolean): Row {
  return COLUMNS.row({ record, kept });
}
