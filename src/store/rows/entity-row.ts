import { TABLES } from '../names.js';
import type { EntityRecord } from '../../protocol/records.js';
import { filledColumns } from '../writing/filled-columns.js';
import { time, type Row, type Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';

interface Source {
  readonly record: EntityRecord;
  readonly writer: string | undefined;
}

const COLUMNS = filledColumns<Source>({
  type: ['text', ({ record }) => record.entity.type],
  key: ['text', ({ record }) => record.entity.key],
  life: ['text', ({ record }) => record.entity.life],
  born_at: ['time', ({ record }) => record.bornAt],
  version: ['integer', ({ record }) => record.version],
  schema: ['integer', ({ record }) => record.schema],
  state: ['text', ({ record }) => record.state],
  health: ['text', ({ record }) => record.health],
  settled: ['boolean', ({ record }) => record.settled],
  stuck_since: ['time', ({ record }) => record.stuckSince],
  need_since: ['time', ({ record }) => record.need?.since],
  need: ['jsonb', ({ record }) => record.need],
  deleted: ['boolean', ({ record }) => record.deleted],
  entered_at: ['time', ({ record }) => record.enteredAt],
  operation: ['text', ({ record }) => record.operation],
  properties: ['jsonb', ({ record }) => record.properties],
  links: ['jsonb', ({ record }) => record.links],
  subordinates: ['jsonb', ({ record }) => record.subordinates],
  callbacks: ['jsonb', ({ record }) => record.callbacks],
  waits: ['jsonb', ({ record }) => record.waits],
  dimensions: ['jsonb', ({ record }) => dimensionValues(record.dimensions)],
  at: ['time', ({ record }) => record.at],
  writer: ['uuid', ({ writer }) => writer],
});

export const ENTITIES: Table = {
  name: 'entities',
  columns: COLUMNS.types,
  key: ['type', 'key'],
  lasting: 'writer',
  writtenAt: 'written_at',
  // Time comes before version: a higher version with an earlier time comes from a lost task and never happened.
  newest: ['born_at', 'at', 'version'],
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life and l.at > ${time('new.at')})`,
};

/** `writer` is the process that has the entity in memory, where it writes the row itself. S5.1 */
export function entityRow(record: EntityRecord, writer: string | undefined): Row {
  return COLUMNS.row({ record, writer });
}
