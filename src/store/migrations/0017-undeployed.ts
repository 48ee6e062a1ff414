import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** A deployment that has failed to deploy. W1 */
export const undeployed: Migration = {
  up: async (db) => void (await sql.raw(`alter table ${TABLES}.deployments add column undeployed boolean`).execute(db)),
};
