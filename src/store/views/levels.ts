import type { Level } from './rollup.js';
import { table } from './view.js';

const constant = <N extends string>(level: Level<N>) => level;

/** Operations by what they do: `create LogicalServer`, whatever the key. */
export const OPERATION_LEVEL = constant({
  name: 'operation',
  startedAt: 'o.started_at',
  endedAt: 'o.ended_at',
  title: `split_part(o.name, '/', 1)`,
  result: 'o.outcome',
  errorId: 'o.error_id',
  dimensions: 'o.dimensions',
  from: `${table('operations')} o`,
});

/** Events by type and event: `LogicalServer.create`. */
export const EVENT_LEVEL = constant({
  name: 'event',
  startedAt: 'e.started_at',
  endedAt: 'e.ended_at',
  title: `e.type || '.' || e.event`,
  result: `case when not e.ended then null
    when e.end_health = 'error' or e.exception is not null then 'failed' else 'success' end`,
  errorId: 'e.error_id',
  dimensions: 'e.dimensions',
  from: `${table('events')} e`,
});

/** Transitions by type and action: `LogicalServer.finish`; without an action, by the event that created. */
export const TRANSITION_LEVEL = constant({
  name: 'transition',
  startedAt: 't.started_at',
  endedAt: 't.at',
  title: `e.type || '.' || coalesce(t.action, e.event)`,
  result: `case t.outcome when 'success' then 'success' when 'aborted' then 'canceled' else 'failed' end`,
  errorId: 't.error_id',
  dimensions: 'e.dimensions',
  from: `${table('transitions')} t join ${table('events')} e on e.life = t.life and e.id = t.event`,
});
