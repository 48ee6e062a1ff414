import { always } from './column.js';
import { table } from './view.js';

/** On which entity an operation was opened: what the service has answered, or else its first event. S4.7 */
export const operationPlaces = {
  name: 'operation_places',
  columns: {
    request_id: always('text', 'x.request_id'),
    type: always('text', 'x.type'),
    key: always('text', 'x.key'),
  },
  from: `(
    select request_id, type, key from ${table('first_responses')} where type is not null
    union all
    select operation, type, key from ${table('events')} where id = operation
  ) x`,
  key: ['request_id'],
} as const;
