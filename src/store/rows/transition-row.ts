import { hash53 } from '../hash.js';
import { TABLES } from '../names.js';
import type { TransitionRecord } from '../../protocol/records.js';
import { filledColumns } from '../writing/filled-columns.js';
import { time, type Row, type Table } from '../writing/table.js';
import type { RowError } from './error-row.js';
import { exceptionText } from './exception-text.js';

interface Source {
  readonly record: TransitionRecord;
  readonly error: RowError;
}

const COLUMNS = filledColumns<Source>({
  life: ['text', ({ record }) => record.entity.life],
  version: ['integer', ({ record }) => record.version],
  operation: ['text', ({ record }) => record.operation],
  event: ['text', ({ record }) => record.event],
  ordinal: ['integer', ({ record }) => record.ordinal],
  type: ['text', ({ record }) => record.type],
  action: ['text', ({ record }) => record.action],
  start_state: ['text', ({ record }) => record.startState],
  start_health: ['text', ({ record }) => record.startHealth],
  start_entered_at: ['time', ({ record }) => record.startEnteredAt],
  started_at: ['time', ({ record }) => record.startedAt],
  retries: ['integer', ({ record }) => record.retries],
  end_state: ['text', ({ record }) => record.endState],
  end_health: ['text', ({ record }) => record.endHealth],
  at: ['time', ({ record }) => record.at],
  action_started_at: ['time', ({ record }) => record.actionStartedAt],
  outcome: ['text', ({ record }) => record.outcome],
  error_id: ['bigint', ({ error }) => error.id],
  error_text: ['text', ({ error }) => error.text],
  exception_id: ['bigint', ({ record }) => exceptionIdOf(record)],
  exception: ['text', ({ record }) => exceptionOf(record)],
  tenant: ['text', ({ record }) => record.tenant],
  calls: ['jsonb', ({ record }) => record.calls],
  changes: ['jsonb', ({ record }) => record.changes],
});

export const TRANSITIONS: Table = {
  name: 'transitions',
  columns: COLUMNS.types,
  key: ['life', 'version'],
  newest: ['at'],
  keptWhen: 'true',
  // If the transition happened, it is among what was kept of the life.
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life
    and (l.version >= new.version or l.at > ${time('new.at')}))`,
};

export function transitionRow(record: TransitionRecord, error: RowError): Row {
  return COLUMNS.row({ record, error });
}

/** The id of a defect. Each one is an exception of its own, even when another attempt throws the same. */
function exceptionIdOf({ entity: { life }, version, error }: TransitionRecord): number | undefined {
  return error?.kind === 'defect' ? hash53(life, String(version)) : undefined;
}

function exceptionOf({ error }: TransitionRecord): string | undefined {
  return error?.kind === 'defect' ? exceptionText(error) : undefined;
}
