import { CREATED } from '../../definition/created.js';
import { always, maybe } from './column.js';
import { table } from './view.js';

/** Audited requests that have changed something, in the words of the index `audit_entries_by_change`. */
const CHANGES = (actions: string) => `${table('audit_entries')} a where a.decision = 'allowed' and (${actions})`;
const RAISES = `a.action = 'create' or a.action like 'create %' or a.action like 'raise %' or a.action like 'answer %'`;
const CANCELS = `a.action = 'cancel' or a.action like 'cancel %'`;
/** Refusals have a reason. */
const canceler = (operation: string, order: string) =>
  `(select a.subject from ${CHANGES(CANCELS)} and a.operation = ${operation} and a.reason is null order by ${order} limit 1)`;

/**
 * The callers who have raised events: the first one of each, since a repeated request raises nothing. An event that cancels has the caller
 * of the request nearest to its start, since an operation can be asked again. An event that an entity has raised has that entity: the one
 * above it in the tree of the operation. S6.5
 */
export const eventCallers = {
  name: 'event_callers',
  columns: { event_id: always('integer', 'x.event_id'), subject: maybe('text', 'x.subject') },
  from: `(
    select e.event_id, coalesce(
        (select a.subject from ${CHANGES(RAISES)}
          and a.operation = e.operation and a.entity_type = e.type and a.entity_key = e.key
          and e.event = case a.action when 'create' then '${CREATED}' else split_part(a.action, ' ', 2) end
          order by a.at limit 1),
        case
          when starts_with(e.id, e.operation || '/cancel/')
            then ${canceler('e.operation', 'abs(extract(epoch from a.at - e.started_at))')}
          when e.event_type = 'raised' then
            (select p.type || '/' || p.key from ${table('events')} p
              where p.operation = e.operation and p.position = substring(e.position from '^(.*)[.]') limit 1)
        end) as subject
      from ${table('events')} e
  ) x`,
  key: ['event_id'],
} as const;

/** The callers who have answered calls from outside: of several answers to one name, the nearest to the end of the call. A1, S6.5 */
export const callCallers = {
  name: 'call_callers',
  columns: {
    event_id: always('integer', 'x.event_id'),
    transition_ordinal: always('integer', 'x.ordinal'),
    call_place: always('integer', 'x.place'),
    subject: maybe('text', 'x.subject'),
  },
  from: `(
    select e.event_id, t.ordinal, c.place,
        (select a.subject from ${CHANGES(RAISES)}
          and a.operation = e.operation and a.entity_type = e.type and a.entity_key = e.key
          and a.action = 'answer ' || c.call and a.reason is null
          order by abs(extract(epoch from a.at) * 1000 - c."endedAt") limit 1) as subject
      from ${table('events')} e
      join ${table('transitions')} t on t.life = e.life and t.event = e.id
      cross join lateral jsonb_to_recordset(t.calls) as c(place integer, call text, mode text, "endedAt" bigint)
      where c.mode = 'callback'
  ) x`,
  key: ['event_id', 'transition_ordinal', 'call_place'],
} as const;

/** The callers who have asked to cancel operations: the last one of each whose request was not refused. S4.7, S6.5 */
export const cancelCallers = {
  name: 'cancel_callers',
  columns: {
    request_id: always('text', 'o.request_id'),
    subject: maybe('text', canceler('o.request_id', 'a.at desc')),
  },
  from: `${table('operations')} o`,
  key: ['request_id'],
} as const;
