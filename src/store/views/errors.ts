import { always } from './column.js';
import { table } from './view.js';

/** Errors: one row for all of the same kind and details. S5.1 */
export const errors = {
  name: 'workflow_errors',
  columns: {
    error_id: always('integer', 'x.error_id'),
    error_details: always('text', 'x.details'),
    error_kind: always('text', 'x.kind'),
  },
  from: `${table('errors')} x`,
  key: ['error_id'],
} as const;
