import { RESULT } from './canceled.js';
import { always, maybe } from './column.js';
import { resumptionsAfterDeath } from './resumptions.js';
import { table } from './view.js';

/** The second level: the events of an operation, on each of its entities. S5.1 */
export const events = {
  name: 'state_machine_events',
  columns: {
    // Null while the row of the operation has not arrived.
    operation_id: maybe('integer', 'o.operation_id'),
    event_id: always('integer', 'e.event_id'),
    request_id: always('text', 'e.operation'),
    workflow_position: always('text', 'e.position'),
    state_machine_type: always('text', 'e.type'),
    event: always('text', 'e.event'),
    keys: always('text', 'e.key'),
    event_type: always('text', 'e.event_type'),
    start_state: always('text', 'e.start_state'),
    end_state: maybe('text', 'e.end_state'),
    start_time: always('time', 'e.started_at'),
    end_time: maybe('time', 'e.ended_at'),
    error_end_state: always('boolean', `coalesce(e.end_health = 'error', false)`),
    // A rejection is a reason, and no action has reported it.
    error_reported: always('boolean', `e.error_id is not null and e.result is distinct from 'rejected'`),
    error: maybe('integer', 'e.error_id'),
    exception: always('boolean', 'e.exception is not null'),
    exception_details: maybe('text', 'e.exception'),
    // Calls that a lost worker had cut off, retries by operators, and waiting that another worker took up after a death.
    restart_count: always('integer', `e.restarts + ${resumptionsAfterDeath('r.life = e.life and r.event = e.id')}`),
  },
  from: `${table('events')} e left join ${table('operations')} o on o.request_id = e.operation`,
  key: ['event_id'],
  dimensions: 'e.dimensions',
} as const;

/** The result of each event, for its row and the rollup of events. S5.1, S5.5 */
export const eventResults = {
  name: 'state_machine_event_results',
  columns: { event_id: always('integer', 'e.event_id'), result: maybe('text', RESULT) },
  from: `${table('events')} e`,
  key: ['event_id'],
} as const;

/** Where history has an event: the life of its entity, the request, and whose it is. */
export const eventOrigins = {
  name: 'event_origins',
  columns: {
    event_id: always('integer', 'e.event_id'),
    type: always('text', 'e.type'),
    key: always('text', 'e.key'),
    life: always('text', 'e.life'),
    id: always('text', 'e.id'),
    operation: always('text', 'e.operation'),
    event: always('text', 'e.event'),
    event_type: always('text', 'e.event_type'),
    start_time: always('time', 'e.started_at'),
    end_time: maybe('time', 'e.ended_at'),
    end_state: maybe('text', 'e.end_state'),
    end_version: maybe('integer', 'e.end_version'),
    // The error and the rejection.
    end_details: maybe('json', 'e.end_details'),
    result: maybe('text', RESULT),
    tenant: maybe('text', `e.dimensions ->> 'tenant'`),
  },
  from: `${table('events')} e`,
  key: ['event_id'],
} as const;
