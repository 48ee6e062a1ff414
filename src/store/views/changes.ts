import { always, maybe } from './column.js';
import { table } from './view.js';

/**
 * The feed: every transition that has happened for certain, and what entities wait for, in the order in which that became known,
 * which for each entity is the order in which it happened. Positions grow by one. A6
 */
export const changes = {
  name: 'changes',
  columns: {
    position: always('integer', 'c.position'),
    // `transition`, or `waits`: that the entity waits for something else than before.
    kind: always('text', `case when c.waits is null then 'transition' else 'waits' end`),
    entity_type: always('text', 'c.type'),
    entity_key: always('text', 'c.key'),
    // Tells the entity from others that have had its key before or after it.
    life: always('text', 'c.life'),
    version: always('integer', 'c.version'),
    // The request id of the operation.
    operation: maybe('text', 't.operation'),
    event: maybe('text', 'e.event'),
    action_name: maybe('text', 't.action'),
    start_state: maybe('text', 't.start_state'),
    end_state: maybe('text', 't.end_state'),
    end_state_health: maybe('text', 't.end_health'),
    outcome: maybe('text', 't.outcome'),
    error: maybe('text', 'x.details'),
    transition_time: maybe('time', 't.at'),
    // The calls that the action has made: place, call, mode, startedAt, endedAt, error, restarts.
    calls: maybe('json', 't.calls'),
    // Of `waits`: what it waits for now. Kind, on, event, since, until.
    waits: maybe('json', 'c.waits'),
    tenant: maybe('text', 'c.tenant'),
    // When it came to the feed.
    time: always('time', 'c.at'),
  },
  from: `${table('changes')} c left join ${table('transitions')} t
      on c.waits is null and t.life = c.life and t.version = c.version
    left join ${table('events')} e on e.life = t.life and e.id = t.event
    left join ${table('errors')} x on x.error_id = t.error_id`,
  key: ['position'],
} as const;

/** Those who listen to the feed, or have listened in the last month, and how far they are behind. L4 */
export const feedListeners = {
  name: 'feed_listeners',
  columns: {
    name: always('text', 'l.name'),
    position: always('integer', 'l.position'),
    // How many changes came after it, and for how long the first of these has waited.
    behind: always('integer', 'greatest(f.position - l.position, 0)'),
    lag_seconds: always(
      'number',
      `coalesce((select extract(epoch from now() - c.at) from ${table('changes')} c where c.position > l.position
        order by c.position limit 1), 0)::float8`,
    ),
    seen_time: always('time', 'l.seen_at'),
  },
  from: `${table('feed_listeners')} l, ${table('feed')} f`,
  key: ['name'],
} as const;

/** Where the feed begins and ends, and in which store it is: a store that was restored is another one. A6 */
export const feed = {
  name: 'feed',
  columns: {
    store: always('text', 's.system_identifier::text || s.timeline_id::text'),
    // The last change that was deleted, and the last one that there is.
    trimmed: always('integer', 'f.trimmed'),
    position: always('integer', 'f.position'),
  },
  from: `${table('feed')} f, (select system_identifier, timeline_id from pg_control_system(), pg_control_checkpoint()) s`,
  key: ['position'],
} as const;
