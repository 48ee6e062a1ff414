import { always, maybe } from './column.js';
import { table } from './view.js';

/** Defects that actions threw, with the operation and event in which each came. S5.1 */
export const exceptions = {
  name: 'workflow_exceptions',
  columns: {
    exception_id: always('integer', 'x.exception_id'),
    exception: always('text', 'x.exception'),
    operation_id: maybe('integer', 'o.operation_id'),
    event_id: maybe('integer', 'e.event_id'),
  },
  from: `${table('exceptions')} x left join ${table('events')} e on e.life = x.life and e.id = x.event
    left join ${table('operations')} o on o.request_id = x.operation`,
  key: ['exception_id'],
} as const;
