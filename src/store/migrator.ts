import { Migrator } from 'kysely';
import type pg from 'pg';
import { kyselyOn } from './kysely.js';
import { MIGRATIONS } from './migrations/index.js';
import { MIGRATION_LOCK_TABLE, MIGRATIONS_TABLE, TABLES } from './names.js';

/** The migrator of a store, which knows which migrations its tables have had. */
export function migratorOn(pool: pg.Pool): Migrator {
  return new Migrator({
    db: kyselyOn(pool),
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
    migrationTableSchema: TABLES,
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
}
