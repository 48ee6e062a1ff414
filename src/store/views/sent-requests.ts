import { always } from './column.js';
import { table } from './view.js';

/** The requests that have opened operations, or were rejected at once, with their entities: to find them by what was sent. S2.5 */
export const sentRequests = {
  name: 'sent_requests',
  columns: {
    request_id: always('text', 'x.request_id'),
    type: always('text', 'x.type'),
    key: always('text', 'x.key'),
  },
  from: `(
    select request_id, split_part(substr(name, strpos(name, ' ') + 1), '/', 1) as type,
        substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), '/') + 1) as key
      from ${table('operations')}
    union all
    select request_id, type, key from ${table('rejected_events')} where request_id is not null
  ) x`,
  key: ['request_id'],
} as const;
