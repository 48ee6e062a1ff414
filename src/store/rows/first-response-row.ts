import type { Table } from '../writing/table.js';

/** When the service first answered a request; the earliest that it tells of counts. */
export const FIRST_RESPONSES: Table = {
  name: 'first_responses',
  columns: { request_id: 'text', at: 'time' },
  key: ['request_id'],
  newest: [],
  keptWhen: 'excluded.at < old.at',
};
