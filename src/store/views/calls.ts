import { always, maybe } from './column.js';
import { table } from './view.js';

/**
 * Below the transitions: the calls that their actions have made. Of an action with more than 100 calls, the latest ones. A2
 */
export const calls = {
  name: 'calls',
  columns: {
    operation_id: maybe('integer', 'o.operation_id'),
    event_id: maybe('integer', 'e.event_id'),
    transition_ordinal: always('integer', 't.ordinal'),
    // Its place among all that the action has done, from 1: the last part of the call's idempotency key.
    call_place: always('integer', 'c.place'),
    entity_type: maybe('text', 'e.type'),
    entity_key: maybe('text', 'e.key'),
    action_name: maybe('text', 't.action'),
    call_name: always('text', 'c.call'),
    // How it was made: inline, activity or callback.
    mode: always('text', 'c.mode'),
    start_time: always('time', `to_timestamp(c."startedAt" / 1000.0)`),
    // None where the action ended without waiting for it.
    end_time: maybe('time', `to_timestamp(c."endedAt" / 1000.0)`),
    error_code: maybe('text', `c.error ->> 'code'`),
    error_message: maybe('text', `c.error ->> 'message'`),
    // How often it was made again because a worker was lost.
    restart_count: always('integer', 'coalesce(c.restarts, 0)'),
    transition_time: always('time', 't.at'),
    tenant: maybe('text', 't.tenant'),
  },
  from: `${table('transitions')} t
    cross join lateral jsonb_to_recordset(t.calls) as c(place integer, call text, mode text, "startedAt" bigint,
      "endedAt" bigint, error jsonb, restarts integer)
    left join ${table('events')} e on e.life = t.life and e.id = t.event
    left join ${table('operations')} o on o.request_id = e.operation`,
  key: ['transition_time', 'event_id', 'transition_ordinal', 'call_place'],
} as const;

/** The answers that entities await from outside, as they last told the store: of each the 100 oldest. A2 */
export const pendingCallbacks = {
  name: 'pending_callbacks',
  columns: {
    entity_type: always('text', 'n.type'),
    entity_key: always('text', 'n.key'),
    // Names it for `reeve callbacks`.
    id: always('text', 'c.id'),
    // Names what is answered: a call, or an event that the answer raises.
    call_name: maybe('text', 'c.call'),
    event: maybe('text', 'c.event'),
    since_time: always('time', 'to_timestamp(c.since / 1000.0)'),
    until_time: always('time', 'to_timestamp(c.until / 1000.0)'),
    // The request id of the operation that runs on it.
    operation: maybe('text', 'n.operation'),
    tenant: maybe('text', `n.dimensions ->> 'tenant'`),
  },
  from: `(select * from ${table('entities')} where callbacks is not null and not deleted) n
    cross join lateral jsonb_to_recordset(n.callbacks) as c(id text, call text, event text, since bigint, until bigint)`,
  key: ['entity_type', 'entity_key', 'id'],
} as const;
