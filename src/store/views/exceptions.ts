import { always, maybe } from './column.js';
import { table } from './view.js';

/** Defects that actions threw: one row for each time, with the operation and the event. S5.1 */
export const exceptions = {
  name: 'workflow_exceptions',
  columns: {
    exception_id: always('integer', 't.exception_id'),
    exception: always('text', 't.exception'),
    operation_id: maybe('integer', 'o.operation_id'),
    event_id: maybe('integer', 'e.event_id'),
  },
  from: `(select * from ${table('transitions')} where exception_id is not null) t
    left join ${table('events')} e on e.life = t.life and e.id = t.event
    left join ${table('operations')} o on o.request_id = t.operation`,
  key: ['exception_id'],
} as const;
