import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** The schema of the declaration to which an entity has come; null for 1. Q2 */
export const schemas: Migration = {
  up: async (db) => {
    await sql.raw(`alter table ${TABLES}.entities add column schema integer`).execute(db);
  },
};
