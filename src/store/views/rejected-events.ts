import { always, maybe } from './column.js';
import { table } from './view.js';

/** Events that were rejected at once. They have no other row, and are kept for a set time. S2.2 */
export const rejectedEvents = {
  name: 'rejected_events',
  columns: {
    id: always('uuid', 'r.id'),
    time: always('time', 'r.at'),
    entity_type: always('text', 'r.type'),
    entity_key: always('text', 'r.key'),
    event: always('text', 'r.event'),
    state: maybe('text', 'r.state'),
    code: always('text', 'r.code'),
    message: always('text', 'r.message'),
    // The caller, and the tenant of the entity.
    subject: maybe('text', 'r.subject'),
    tenant: maybe('text', 'r.tenant'),
    // The request id of the last one, where the same was rejected several times in a second.
    request_id: maybe('text', 'r.request_id'),
    last_time: always('time', 'r.last_at'),
    times: always('integer', 'r.times'),
  },
  from: `${table('rejected_events')} r`,
  key: ['time', 'id'],
} as const;
