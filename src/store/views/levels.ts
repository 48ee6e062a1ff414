import { eventResults } from './events.js';
import type { Level } from './rollup.js';
import { viewNamed } from './view.js';

const constant = <N extends string>(level: Level<N>) => level;

/** Operations by event and type: `create LogicalServer`, whatever the key. */
export const OPERATION_LEVEL = constant({
  name: 'operation',
  of: 'operations',
  startedAt: 'o.workflow_start_time',
  endedAt: 'o.workflow_end_time',
  title: `split_part(o.name, '/', 1)`,
  result: 'o.outcome',
  errorId: 'o.error_id',
  dimensionsOf: 'o',
  from: (rows) => `${rows} o`,
});

/** Events by type and event: `LogicalServer.create`. */
export const EVENT_LEVEL = constant({
  name: 'event',
  of: 'state_machine_events',
  startedAt: 'e.start_time',
  endedAt: 'e.end_time',
  title: `e.state_machine_type || '.' || e.event`,
  // The result counts instead of the error, since a retry may have made the error good.
  result: 'r.result',
  errorId: 'e.error',
  dimensionsOf: 'e',
  from: (rows) => `${rows} e join ${viewNamed(eventResults.name)} r on r.event_id = e.event_id`,
});

/** Transitions by type and action: `LogicalServer.finish`. Without an action, the event that created the entity is named. */
export const TRANSITION_LEVEL = constant({
  name: 'transition',
  of: 'state_machine_transitions',
  startedAt: 't.transition_start_time',
  endedAt: 't.transition_time',
  title: `e.state_machine_type || '.' || coalesce(t.action_name, e.event)`,
  result: `case t.outcome when 'success' then 'success' when 'aborted' then 'canceled' else 'failed' end`,
  errorId: 't.error_id',
  dimensionsOf: 'e',
  from: (rows) => `${rows} t join ${viewNamed('state_machine_events')} e on e.event_id = t.event_id`,
});
