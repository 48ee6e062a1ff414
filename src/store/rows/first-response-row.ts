import type { Table } from '../writing/table.js';

/** When the service first answered a request, and on which entity the request opened its operation. Of several times, the earliest counts. */
export const FIRST_RESPONSES: Table = {
  name: 'first_responses',
  columns: { request_id: 'text', at: 'time', type: 'text', key: 'text' },
  key: ['request_id'],
  newest: [],
  keptWhen: 'excluded.at < old.at',
};
