import { always, maybe } from './column.js';
import { table } from './view.js';

/** The entities as they stood when they last told the store. S5.2 */
export const entities = {
  name: 'entities',
  columns: {
    type: always('text', 'n.type'),
    key: always('text', 'n.key'),
    life: always('text', 'n.life'),
    version: always('integer', 'n.version'),
    // The schema of the declaration to which it has come.
    schema: always('integer', 'coalesce(n.schema, 1)'),
    state: always('text', 'n.state'),
    health: always('text', 'n.health'),
    settled: always('boolean', 'n.settled'),
    // Since when it is stuck, as far as it knows itself.
    stuck_since: maybe('time', 'n.stuck_since'),
    // The reason why it needs a person, as far as it knows itself, and since when.
    need_since: maybe('time', 'n.need_since'),
    need: maybe('json', 'n.need'),
    // Tells that it waits for others, for an answer from outside or for a time, rather than for a call or a task.
    waits: always('boolean', 'n.waits is not null'),
    deleted: always('boolean', 'n.deleted'),
    // The request id of the operation that runs on it.
    operation: maybe('text', 'n.operation'),
    created_time: always('time', 'n.born_at'),
    state_entry_time: always('time', 'n.entered_at'),
    properties: always('json', 'n.properties'),
    links: always('json', 'n.links'),
    subordinates: always('json', 'n.subordinates'),
    // When the entity said this, and when it was written.
    reported_time: always('time', 'n.at'),
    written_time: always('time', 'n.written_at'),
  },
  from: `${table('entities')} n`,
  key: ['type', 'key'],
  dimensions: 'n.dimensions',
} as const;
