import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** Finds what was done again for an operation. Most operations have none of it, and so no place in the index. A4 */
const STATEMENT = 'create index transitions_by_repetition on transitions (operation) where retries > 0';

export const repeatedTransitions: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    await sql.raw(STATEMENT).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
