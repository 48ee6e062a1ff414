import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

/** A query builder on a pool. It does not end the pool. */
export function kyselyOn<T>(pool: pg.Pool): Kysely<T> {
  const dialect = new PostgresDialect({ pool: { connect: () => pool.connect(), end: () => Promise.resolve() } });
  return new Kysely<T>({ dialect });
}
