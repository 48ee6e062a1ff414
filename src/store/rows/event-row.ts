import { TABLES } from '../names.js';
import { eventResult } from '../../protocol/event-result.js';
import type { EventRecord } from '../../protocol/records.js';
import { hash53 } from '../hash.js';
import { surrogate } from '../surrogate.js';
import { filledColumns } from '../writing/filled-columns.js';
import { time, type Row, type Table } from '../writing/table.js';
import { dimensionValues } from './dimension-values.js';
import type { RowError } from './error-row.js';
import { exceptionText } from './exception-text.js';

interface Source {
  readonly record: EventRecord;
  readonly kept: boolean;
  readonly error: RowError;
}

const COLUMNS = filledColumns<Source>({
  life: ['text', ({ record }) => record.entity.life],
  id: ['text', ({ record }) => record.id],
  event_id: ['bigint', ({ record }) => surrogate(record.startedAt, hash53(record.entity.life), record.startOrder)],
  operation: ['text', ({ record }) => record.operation],
  position: ['text', ({ record }) => record.position],
  type: ['text', ({ record }) => record.entity.type],
  key: ['text', ({ record }) => record.entity.key],
  event: ['text', ({ record }) => record.event],
  event_type: ['text', ({ record }) => record.eventType],
  start_state: ['text', ({ record }) => record.startState],
  start_version: ['integer', ({ record }) => record.startVersion],
  started_at: ['time', ({ record }) => record.startedAt],
  end_state: ['text', ({ record }) => record.endState],
  end_health: ['text', ({ record }) => record.endHealth],
  ended_at: ['time', ({ record }) => record.endedAt],
  ended: ['boolean', ({ record }) => record.endedAt !== undefined],
  fingerprint: ['text', ({ record }) => record.fingerprint],
  end_version: ['integer', ({ record }) => record.endVersion],
  end_details: ['jsonb', ({ record }) => record.endDetails],
  result: ['text', ({ record }) => eventResult(record)],
  error_id: ['bigint', ({ error }) => error.id],
  error_text: ['text', ({ error }) => error.text],
  exception: ['text', ({ record }) => record.exception && exceptionText(record.exception)],
  restarts: ['integer', ({ record }) => record.restarts],
  dimensions: ['jsonb', ({ record }) => dimensionValues(record.dimensions)],
  kept: ['boolean', ({ kept }) => kept],
});

export const EVENTS: Table = {
  name: 'events',
  columns: COLUMNS.types,
  key: ['life', 'id'],
  newest: ['ended', 'restarts', 'started_at'],
  // An event never happened if it is older than what was kept of the life, and nothing of it was kept.
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life
      and (l.version > new.start_version or l.at > ${time('new.started_at')}))
    or exists (select from ${TABLES}.events e where e.life = new.life and e.id = new.id)`,
  surrogate: 'event_id',
  sticky: 'kept',
};

export function eventRow(record: EventRecord, kept: boolean, error: RowError): Row {
  return COLUMNS.row({ record, kept, error });
}
