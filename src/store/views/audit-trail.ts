import { always, maybe } from './column.js';
import { table } from './view.js';

/** Tells who was allowed or denied what. S6.5 */
export const auditTrail = {
  name: 'audit_trail',
  columns: {
    id: always('uuid', 'a.id'),
    time: always('time', 'a.at'),
    subject: always('text', 'a.subject'),
    tenant: maybe('text', 'a.tenant'),
    roles: always('texts', 'a.roles'),
    action: always('text', 'a.action'),
    entity_type: maybe('text', 'a.entity_type'),
    entity_key: maybe('text', 'a.entity_key'),
    operation: maybe('text', 'a.operation'),
    request_id: maybe('text', 'a.request_id'),
    decision: always('text', 'a.decision'),
    reason: maybe('text', 'a.reason'),
    remote_address: maybe('text', 'a.remote_address'),
  },
  from: `${table('audit_entries')} a`,
  key: ['time', 'id'],
} as const;
