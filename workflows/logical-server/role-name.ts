import { sqlName } from '../../activities/values/database-names.js';

/** The name of a server's administrator. */
export const roleName = sqlName.refine(
  (name) => !name.startsWith('pg_') && name !== 'postgres',
  'PostgreSQL keeps this name for itself',
);
