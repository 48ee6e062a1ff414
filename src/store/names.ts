/** The schema of the views. Readers see only these. */
export const VIEWS = 'reeve';
/** The schema of the tables. These may change from version to version. S5.2 */
export const TABLES = 'reeve_data';
/** The tables that know which migrations a database has had: each database has its own. */
export const MIGRATIONS_TABLE = 'migrations';
export const MIGRATION_LOCK_TABLE = 'migration_lock';
/** Where a replica keeps of which store it is one, and what guards it. A6 */
export const REPLICA = 'reeve_replica';
/** The role that can read the views and nothing else. S5.2 */
export const READER_ROLE = 'reeve_reader';
