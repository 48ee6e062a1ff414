import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* To find operations by the beginning of their request id, whatever the collation of the database. S2.5 */
export const sentRequests: Migration = {
  up: async (db) => {
    await sql.raw(`create index operations_by_key on ${TABLES}.operations (request_id text_pattern_ops)`).execute(db);
  },
};
