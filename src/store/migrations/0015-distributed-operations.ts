import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* Instances of distributed operations as they last told the store. Their jobs and attempts are events and transitions. S5.2 */
const STATEMENTS = [
  `create table ${TABLES}.distributed_operations (
    life text primary key,
    name text not null,
    target text not null,
    type text not null,
    instance bigint not null,
    object text,
    request_id text not null,
    state text not null,
    outcome text,
    started_at timestamptz not null,
    ended_at timestamptz,
    ended boolean not null,
    reading jsonb not null,
    at timestamptz not null,
    kept boolean not null,
    written_at timestamptz not null default now()
  )`,
  `create index distributed_operations_by_name on ${TABLES}.distributed_operations (name, started_at)`,
  `create index distributed_operations_by_start on ${TABLES}.distributed_operations (started_at, life)`,
  // A job's row leads to its instance by the request of its operation.
  `create index distributed_operations_by_request on ${TABLES}.distributed_operations (request_id)`,
];

export const distributedOperations: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
