import { sqlName } from '../../activities/values/database-names.js';

/** What the administrator of a server may be called. */
export const roleName = sqlName.refine(
  (name) => !name.startsWith('pg_') && name !== 'postgres',
  'PostgreSQL keeps this name for itself',
);
