import { always, maybe } from './column.js';
import { resumptionsAfterDeath } from './resumptions.js';
import { table } from './view.js';

/** The first level: operations. S5.1 */
export const operations = {
  name: 'operations',
  columns: {
    operation_id: always('integer', 'o.operation_id'),
    request_id: always('text', 'o.request_id'),
    name: always('text', 'o.name'),
    workflow_start_time: always('time', 'o.started_at'),
    workflow_end_time: maybe('time', 'o.ended_at'),
    // The time that the service has told, or else that of the entity's answer.
    operation_first_response_time: always('time', 'coalesce(r.at, o.answered_at)'),
    // Null while it runs within its budget. S5.3
    outcome: maybe('text', 'o.outcome'),
    error_id: maybe('integer', 'o.error_id'),
    // Those of all its events.
    restart_count: always('integer', `o.restarts + ${resumptionsAfterDeath('r.operation = o.request_id')}`),
  },
  from: `${table('operations')} o left join ${table('first_responses')} r on r.request_id = o.request_id`,
  key: ['operation_id'],
  dimensions: 'o.dimensions',
} as const;
