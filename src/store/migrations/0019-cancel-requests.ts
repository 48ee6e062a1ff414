import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** Finds the requests to cancel an operation among all events of an entity. S4.7 */
export const cancelRequests: Migration = {
  up: async (db) => {
    await sql
      .raw(
        `create index events_that_cancel on ${TABLES}.events (life, operation, start_version)
          where starts_with(id, operation || '/cancel/')`,
      )
      .execute(db);
  },
};
