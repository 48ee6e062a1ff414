import { hash53 } from '../hash.js';
import { TABLES } from '../names.js';
import type { TransitionRecord } from '../../protocol/records.js';
import { time, type Row, type Table } from '../writing/table.js';
import { exceptionText } from './exception-text.js';

export const TRANSITIONS: Table = {
  name: 'transitions',
  columns: {
    life: 'text',
    version: 'integer',
    operation: 'text',
    event: 'text',
    ordinal: 'integer',
    type: 'text',
    action: 'text',
    start_state: 'text',
    start_health: 'text',
    start_entered_at: 'time',
    started_at: 'time',
    retries: 'integer',
    end_state: 'text',
    end_health: 'text',
    at: 'time',
    action_started_at: 'time',
    outcome: 'text',
    error_id: 'bigint',
    exception_id: 'bigint',
    exception: 'text',
    tenant: 'text',
  },
  key: ['life', 'version'],
  newest: ['at'],
  keptWhen: 'true',
  // What was kept of the life has it, if it happened.
  offeredWhen: `not exists (select from ${TABLES}.lives l where l.life = new.life
    and (l.version >= new.version or l.at > ${time('new.at')}))`,
};

export function transitionRow(record: TransitionRecord, errorId: number | null): Row {
  return {
    life: record.entity.life,
    version: record.version,
    operation: record.operation,
    event: record.event,
    ordinal: record.ordinal,
    type: record.type,
    action: record.action ?? null,
    start_state: record.startState,
    start_health: record.startHealth,
    start_entered_at: record.startEnteredAt,
    started_at: record.startedAt,
    retries: record.retries,
    end_state: record.endState,
    end_health: record.endHealth,
    at: record.at,
    action_started_at: record.actionStartedAt ?? null,
    outcome: record.outcome,
    error_id: errorId,
    ...exceptionOf(record),
    tenant: record.tenant ?? null,
  };
}

/** Each defect is an exception of its own, also when another attempt throws the same. */
function exceptionOf({ entity: { life }, version, error }: TransitionRecord) {
  if (error?.kind !== 'defect') return { exception_id: null, exception: null };
  return { exception_id: hash53(life, String(version)), exception: exceptionText(error) };
}
