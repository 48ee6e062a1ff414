import { always, maybe } from './column.js';
import { table } from './view.js';

/** Requests to cancel an operation that were permitted and not refused at once, in the words of the index `audit_entries_by_change`. */
const isCancel = (row: string) =>
  `${row}.decision = 'allowed' and (${row}.action = 'cancel' or ${row}.action like 'cancel %') and ${row}.reason is null`;

/**
 * The entities answer a request to cancel later. It was refused where all that it has asked refuse. An operation can be asked again, so
 * what an entity was asked belongs to the request nearest to it. S4.7
 */
const REFUSED_LATER = `case when ${isCancel('a')} and a.operation is not null then (
    select 'It was refused: ' || min(split_part(x.details, ':', 1)) || '.'
      from ${table('events')} e left join ${table('errors')} x on x.error_id = e.error_id
      where e.operation = a.operation and starts_with(e.id, e.operation || '/cancel/')
        and a.id = (
          select b.id from ${table('audit_entries')} b where b.operation = e.operation and ${isCancel('b')}
            order by abs(extract(epoch from b.at - e.started_at)) limit 1)
      having bool_and(coalesce(e.result = 'rejected', false))
  ) end`;

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
    reason: maybe('text', `coalesce(a.reason, ${REFUSED_LATER})`),
    remote_address: maybe('text', 'a.remote_address'),
  },
  from: `${table('audit_entries')} a`,
  key: ['time', 'id'],
} as const;
