import { always, maybe } from './column.js';
import { table } from './view.js';

/** Instances of operations over partitions, as they last told the store. Their jobs and attempts are events and transitions. S5.2 */
export const distributedOperations = {
  name: 'distributed_operations',
  columns: {
    start_time: always('time', 'd.started_at'),
    name: always('text', 'd.name'),
    life: always('text', 'd.life'),
    target: always('text', 'd.target'),
    type: always('text', 'd.type'),
    instance: always('integer', 'd.instance'),
    object: maybe('text', 'd.object'),
    request_id: always('text', 'd.request_id'),
    state: always('text', 'd.state'),
    outcome: maybe('text', 'd.outcome'),
    end_time: maybe('time', 'd.ended_at'),
    // All that it said of itself.
    reading: always('json', 'd.reading'),
    reported_time: always('time', 'd.at'),
  },
  from: `${table('distributed_operations')} d`,
  key: ['start_time', 'life'],
} as const;
