import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** The calls of each action with its transition, and what an entity awaits from outside. A2 */
const STATEMENTS = [
  'alter table transitions add column calls jsonb',
  'alter table entities add column callbacks jsonb',
];

export const calls: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
