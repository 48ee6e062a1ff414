import type pg from 'pg';
import { areViewsCurrent } from './make-views.js';
import { migratorOn } from './migrator.js';

/** Lists what a migration would change, for people; empty when the store is as this version needs it. It changes nothing itself. */
export async function pendingChanges(pool: pg.Pool, dimensions: readonly string[]): Promise<readonly string[]> {
  const migrations = await migratorOn(pool).getMigrations();
  const tables = migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => `migration ${name}`);
  const client = await pool.connect();
  try {
    return (await areViewsCurrent(client, dimensions)) ? tables : [...tables, 'views'];
  } finally {
    client.release();
  }
}
