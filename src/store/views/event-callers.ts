import { CREATED } from '../../definition/created.js';
import { always } from './column.js';
import { table } from './view.js';

/** The callers who have raised events: the first one of each, since a repeated request raises nothing. S6.5 */
export const eventCallers = {
  name: 'event_callers',
  columns: {
    operation: always('text', 'x.operation'),
    type: always('text', 'x.type'),
    key: always('text', 'x.key'),
    event: always('text', 'x.event'),
    subject: always('text', 'x.subject'),
  },
  from: `(
    select distinct on (operation, entity_type, entity_key, action) operation, entity_type as type, entity_key as key,
        case action when 'create' then '${CREATED}' else split_part(action, ' ', 2) end as event, subject
      from ${table('audit_entries')}
      where decision = 'allowed' and (action = 'create' or action like 'create %' or action like 'raise %')
      order by operation, entity_type, entity_key, action, at
  ) x`,
  key: ['operation', 'type', 'key', 'event'],
} as const;
