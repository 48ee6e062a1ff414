import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

/** The query builder on a pool, which it does not end. */
export function kyselyOn<T>(pool: pg.Pool): Kysely<T> {
  const dialect = new PostgresDialect({ pool: { connect: () => pool.connect(), end: () => Promise.resolve() } });
  return new Kysely<T>({ dialect });
}
