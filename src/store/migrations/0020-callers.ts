import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** Finds who has raised an event, answered a call or canceled an operation, and which entity is above another in an operation. S6.5 */
export const callers: Migration = {
  up: async (db) => {
    for (const statement of [
      `drop index ${TABLES}.audit_entries_by_raise`,
      `create index audit_entries_by_change on ${TABLES}.audit_entries (operation, entity_type, entity_key)
        where decision = 'allowed' and (action = 'create' or action like 'create %' or action like 'raise %'
          or action like 'answer %' or action = 'cancel' or action like 'cancel %')`,
      `create index events_by_position on ${TABLES}.events (operation, position)`,
      `drop index ${TABLES}.events_by_operation`,
    ])
      await sql.raw(statement).execute(db);
  },
};
