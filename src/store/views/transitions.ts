import { always, maybe } from './column.js';
import { table } from './view.js';

/**
 * The third level: the transitions of an event. S5.1
 * The joins are outer joins for one more reason: PostgreSQL then expects all rows of them, and reads a page by an index on the
 * time.
 */
export const transitions = {
  name: 'state_machine_transitions',
  columns: {
    // Null while the rows of the operation or the event have not arrived.
    operation_id: maybe('integer', 'o.operation_id'),
    event_id: maybe('integer', 'e.event_id'),
    transition_ordinal: always('integer', 't.ordinal'),
    transition_type: always('text', 't.type'),
    action_name: maybe('text', 't.action'),
    start_state: always('text', 't.start_state'),
    start_state_health: always('text', 't.start_health'),
    start_state_entry_time: always('time', 't.start_entered_at'),
    transition_start_time: always('time', 't.started_at'),
    retry_count: always('integer', 't.retries'),
    end_state: always('text', 't.end_state'),
    end_state_health: always('text', 't.end_health'),
    transition_time: always('time', 't.at'),
    action_start_time: maybe('time', 't.action_started_at'),
    outcome: always('text', 't.outcome'),
    error_id: maybe('integer', 't.error_id'),
  },
  from: `${table('transitions')} t left join ${table('events')} e on e.life = t.life and e.id = t.event
    left join ${table('operations')} o on o.request_id = e.operation`,
  key: ['transition_time', 'event_id', 'transition_ordinal'],
} as const;

/**
 * The same with whose they are: the type and the tenant, by which rows are found for actors who may see only some of them (S6.5),
 * and the version of the entity after it in its life; `tag` is both, as in ETags.
 */
export const ownedTransitions = {
  ...transitions,
  name: 'state_machine_transitions_owned',
  columns: {
    ...transitions.columns,
    state_machine_type: maybe('text', 'e.type'),
    tenant: maybe('text', 't.tenant'),
    life: always('text', 't.life'),
    version: always('integer', 't.version'),
    tag: always('text', `t.life || '.' || t.version`),
  },
} as const;

/** Executions of automatic actions beyond the first one in a state, with whose they are: what is counted of operations. A4 */
export const repeatedTransitions = {
  name: 'repeated_transitions',
  columns: {
    request_id: always('text', 't.operation'),
    state_machine_type: maybe('text', 'e.type'),
    tenant: maybe('text', 't.tenant'),
  },
  from: `(select * from ${table('transitions')} where retries > 0) t
    left join ${table('events')} e on e.life = t.life and e.id = t.event`,
  key: ['request_id'],
} as const;

/** How the actions of entities ended, and when: what is watched while a new build takes over. Q2 */
export const actionOutcomes = {
  name: 'action_outcomes',
  columns: {
    entity: maybe('text', `e.type || '/' || e.key`),
    action: maybe('text', `e.type || '.' || t.action`),
    time: always('time', 't.at'),
    outcome: always('text', 't.outcome'),
  },
  from: `(select * from ${table('transitions')} where action is not null) t
    left join ${table('events')} e on e.life = t.life and e.id = t.event`,
  key: ['time'],
} as const;

/** Each version of each life of an entity, with what was changed of what it holds. The changes of all versions up to one make that. S5.1 */
export const entityVersions = {
  name: 'entity_versions',
  columns: {
    type: maybe('text', 'e.type'),
    key: maybe('text', 'e.key'),
    life: always('text', 't.life'),
    version: always('integer', 't.version'),
    tenant: maybe('text', 't.tenant'),
    state: always('text', 't.end_state'),
    health: always('text', 't.end_health'),
    // The request id of the operation, the event, and the action that led to it.
    operation: always('text', 't.operation'),
    event: maybe('text', 'e.event'),
    action_name: maybe('text', 't.action'),
    outcome: always('text', 't.outcome'),
    // Since when it was so.
    time: always('time', 't.at'),
    // Part, name, key, value, leftOut.
    changes: maybe('json', 't.changes'),
  },
  from: `${table('transitions')} t left join ${table('events')} e on e.life = t.life and e.id = t.event`,
  key: ['life', 'version'],
} as const;
