import { TABLES } from '../names.js';
import type { EntityRecord } from '../../protocol/records.js';
import { time, type Row, type Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';

export const ENTITIES: Table = {
  name: 'entities',
  columns: {
    type: 'text',
    key: 'text',
    life: 'text',
    born_at: 'time',
    version: 'integer',
    state: 'text',
    health: 'text',
    settled: 'boolean',
    stuck_since: 'time',
    deleted: 'boolean',
    entered_at: 'time',
    operation: 'text',
    properties: 'jsonb',
    links: 'jsonb',
    subordinates: 'jsonb',
    dimensions: 'jsonb',
    at: 'time',
  },
  key: ['type', 'key'],
  writtenAt: 'written_at',
  newest: ['born_at', 'version', 'at'],
  // A higher version that was only offered, and before the entity says for good that it has not come so far, never happened.
  keptWhen: 'excluded.life = old.life and excluded.at > old.at',
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life and l.at > ${time('new.at')})`,
};

export function entityRow(record: EntityRecord): Row {
  const { entity } = record;
  return {
    type: entity.type,
    key: entity.key,
    life: entity.life,
    born_at: record.bornAt,
    version: record.version,
    state: record.state,
    health: record.health,
    settled: record.settled,
    stuck_since: record.stuckSince ?? null,
    deleted: record.deleted,
    entered_at: record.enteredAt,
    operation: record.operation ?? null,
    properties: record.properties,
    links: record.links,
    subordinates: record.subordinates,
    dimensions: dimensionValues(record.dimensions),
    at: record.at,
  };
}
