import type { EntityRef } from '../../protocol/names.js';
import type { Row, Table } from '../writing/table.js';

/** A decision on whether someone may do something. S6.5 */
export interface AuditEntry {
  /** A UUID. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who. */
  readonly subject: string;
  readonly tenant?: string;
  readonly roles: readonly string[];
  /** What: a route or an event. */
  readonly action: string;
  readonly entity?: EntityRef;
  /** The request id of the operation. */
  readonly operation?: string;
  readonly requestId?: string;
  readonly decision: 'allowed' | 'denied';
  readonly reason?: string;
  readonly remoteAddress?: string;
}

export const AUDIT_ENTRIES: Table = {
  name: 'audit_entries',
  columns: {
    id: 'uuid',
    at: 'time',
    subject: 'text',
    tenant: 'text',
    roles: 'text[]',
    action: 'text',
    entity_type: 'text',
    entity_key: 'text',
    operation: 'text',
    request_id: 'text',
    decision: 'text',
    reason: 'text',
    remote_address: 'text',
  },
  key: ['id'],
  newest: [],
};

export function auditRow(entry: AuditEntry): Row {
  return {
    id: entry.id,
    at: entry.at,
    subject: entry.subject,
    tenant: entry.tenant ?? null,
    roles: entry.roles,
    action: entry.action,
    entity_type: entry.entity?.type ?? null,
    entity_key: entry.entity?.key ?? null,
    operation: entry.operation ?? null,
    request_id: entry.requestId ?? null,
    decision: entry.decision,
    reason: entry.reason ?? null,
    remote_address: entry.remoteAddress ?? null,
  };
}
