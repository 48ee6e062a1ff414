import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* Which process has an entity in memory, when each process last showed that it lives, and what went on in another one. S5.1 */
const STATEMENTS = [
  `alter table ${TABLES}.entities add column writer uuid`,
  `create table ${TABLES}.writers (
    writer uuid primary key,
    seen_at timestamptz not null
  )`,
  `create table ${TABLES}.resumptions (
    id uuid primary key default gen_random_uuid(),
    life text not null,
    event text,
    operation text not null,
    writer uuid not null,
    at timestamptz not null
  )`,
  `create index resumptions_by_event on ${TABLES}.resumptions (life, event)`,
  `create index resumptions_by_operation on ${TABLES}.resumptions (operation)`,
];

export const resumptions: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
