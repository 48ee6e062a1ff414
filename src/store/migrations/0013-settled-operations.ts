import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* The entity on which an operation settled that needed no workflow. Such a row has its first answer at its end. S5.6 */
export const settledOperations: Migration = {
  up: async (db) => {
    await sql.raw(`alter table ${TABLES}.operations add column settled_on text`).execute(db);
    await sql
      .raw(
        `update ${TABLES}.operations set settled_on = substr(name, strpos(name, ' ') + 1)
          where ended_at = answered_at`,
      )
      .execute(db);
  },
};
