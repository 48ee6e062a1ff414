import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* On which entity an operation was opened that the service has named to a caller. S4.7 */
export const operationPlaces: Migration = {
  up: async (db) => {
    await sql.raw(`alter table ${TABLES}.first_responses add column type text, add column key text`).execute(db);
  },
};
