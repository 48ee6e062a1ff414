import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* The message of an error where it says more than its cause: the keys of entities, or a summary of several errors. S5.5 */
export const errorTexts: Migration = {
  up: async (db) => {
    for (const name of ['operations', 'events', 'transitions']) {
      await sql.raw(`alter table ${TABLES}.${name} add column error_text text`).execute(db);
    }
  },
};
