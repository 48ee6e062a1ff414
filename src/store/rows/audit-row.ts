import type { EntityRef } from '../../protocol/names.js';
import { filledColumns } from '../writing/filled-columns.js';
import type { Row, Table } from '../writing/table.js';

/** A decision on whether somebody may do something. S6.5 */
export interface AuditEntry {
  /** A UUID. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Tells who asked. */
  readonly subject: string;
  readonly tenant?: string;
  readonly roles: readonly string[];
  /** The action they asked for: a route or an event. */
  readonly action: string;
  readonly entity?: EntityRef;
  /** The request id of the operation. */
  readonly operation?: string;
  readonly requestId?: string;
  readonly decision: 'allowed' | 'denied';
  readonly reason?: string;
  readonly remoteAddress?: string;
}

const COLUMNS = filledColumns<AuditEntry>({
  id: ['uuid', (entry) => entry.id],
  at: ['time', (entry) => entry.at],
  subject: ['text', (entry) => entry.subject],
  tenant: ['text', (entry) => entry.tenant],
  roles: ['text[]', (entry) => entry.roles],
  action: ['text', (entry) => entry.action],
  entity_type: ['text', (entry) => entry.entity?.type],
  entity_key: ['text', (entry) => entry.entity?.key],
  operation: ['text', (entry) => entry.operation],
  request_id: ['text', (entry) => entry.requestId],
  decision: ['text', (entry) => entry.decision],
  reason: ['text', (entry) => entry.reason],
  remote_address: ['text', (entry) => entry.remoteAddress],
});

export const AUDIT_ENTRIES: Table = {
  name: 'audit_entries',
  columns: COLUMNS.types,
  key: ['id'],
  newest: [],
};

export function auditRow(entry: AuditEntry): Row {
  return COLUMNS.row(entry);
}
