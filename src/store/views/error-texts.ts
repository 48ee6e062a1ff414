import { always } from './column.js';
import { table } from './view.js';

/** The texts of the errors of operations, events and transitions, where they say more than the cause. S5.1, S5.5 */
export const errorTexts = {
  name: 'error_texts',
  columns: {
    level: always('text', 'x.level'),
    // The operation id, or else the event id.
    id: always('integer', 'x.id'),
    // The number of a transition within its event; 0 at the other levels.
    ordinal: always('integer', 'x.ordinal'),
    message: always('text', 'x.message'),
  },
  from: `(
    select 'operation' as level, operation_id as id, 0 as ordinal, error_text as message
      from ${table('operations')} where error_text is not null
    union all
    select 'event', event_id, 0, error_text from ${table('events')} where error_text is not null
    union all
    select 'transition', e.event_id, t.ordinal, t.error_text
      from ${table('transitions')} t join ${table('events')} e on e.life = t.life and e.id = t.event
      where t.error_text is not null
  ) x`,
  key: ['level', 'id', 'ordinal'],
} as const;
