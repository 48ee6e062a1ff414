import { TABLES } from '../names.js';
import { eventResult } from '../../protocol/event-result.js';
import type { EventRecord } from '../../protocol/records.js';
import { hash53 } from '../hash.js';
import { surrogate } from '../surrogate.js';
import { time, type Row, type Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';
import { exceptionText } from './exception-text.js';

export const EVENTS: Table = {
  name: 'events',
  columns: {
    life: 'text',
    id: 'text',
    event_id: 'bigint',
    operation: 'text',
    position: 'text',
    type: 'text',
    key: 'text',
    event: 'text',
    event_type: 'text',
    start_state: 'text',
    start_version: 'integer',
    started_at: 'time',
    end_state: 'text',
    end_health: 'text',
    ended_at: 'time',
    ended: 'boolean',
    fingerprint: 'text',
    end_version: 'integer',
    end_details: 'jsonb',
    result: 'text',
    error_id: 'bigint',
    exception: 'text',
    restarts: 'integer',
    dimensions: 'jsonb',
    kept: 'boolean',
  },
  key: ['life', 'id'],
  newest: ['ended', 'restarts', 'started_at'],
  // An event from before what was kept of the life, and of which nothing was kept, never happened.
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life
      and (l.version > new.start_version or l.at > ${time('new.started_at')}))
    or exists (select from ${TABLES}.events e where e.life = new.life and e.id = new.id)`,
  surrogate: 'event_id',
  sticky: 'kept',
};

export function eventRow(record: EventRecord, kept: boolean, errorId: number | null): Row {
  const { id, entity, startedAt, endedAt } = record;
  return {
    life: entity.life,
    id,
    event_id: surrogate(startedAt, hash53(entity.life), record.startOrder),
    operation: record.operation,
    position: record.position,
    type: entity.type,
    key: entity.key,
    event: record.event,
    event_type: record.eventType,
    start_state: record.startState,
    start_version: record.startVersion,
    started_at: startedAt,
    end_state: record.endState ?? null,
    end_health: record.endHealth ?? null,
    ended_at: endedAt ?? null,
    ended: endedAt !== undefined,
    fingerprint: record.fingerprint ?? null,
    end_version: record.endVersion ?? null,
    end_details: record.endDetails ?? null,
    result: eventResult(record) ?? null,
    error_id: errorId,
    exception: record.exception ? exceptionText(record.exception) : null,
    restarts: record.restarts,
    dimensions: dimensionValues(record.dimensions),
    kept,
  };
}
