import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* The entities that need a person, to be found without reading all rows. S5.4 */
const STATEMENTS = [
  `alter table ${TABLES}.entities add column need_since timestamptz, add column need jsonb`,
  `create index entities_by_need on ${TABLES}.entities (need_since, type, key) where need_since is not null`,
  `create index entities_by_callbacks on ${TABLES}.entities (type, key) where callbacks is not null`,
  `create index deployments_by_failure on ${TABLES}.deployments (ended_at) where end_type is not null`,
  `create index distributed_operations_by_running on ${TABLES}.distributed_operations (started_at) where ended_at is null`,
  `create index distributed_operations_by_failure on ${TABLES}.distributed_operations (ended_at) where outcome = 'failed'`,
];

export const needs: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
