import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** The changes by each transition to what the entity holds: of the first one, that is everything. S5.1 */
export const changes: Migration = {
  up: async (db) => {
    await sql.raw(`alter table ${TABLES}.transitions add column changes jsonb`).execute(db);
  },
};
