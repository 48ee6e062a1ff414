import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** Finds who has raised an event, among all that is audited. S6.5 */
export const eventCallers: Migration = {
  up: async (db) => {
    await sql
      .raw(
        `create index audit_entries_by_raise on ${TABLES}.audit_entries (operation, entity_type, entity_key)
          where decision = 'allowed' and (action = 'create' or action like 'create %' or action like 'raise %')`,
      )
      .execute(db);
  },
};
