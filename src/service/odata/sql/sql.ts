import type { RawBuilder } from 'kysely';

/** A piece of SQL. Values are in it as parameters only, names as quoted identifiers only. */
export type Sql = RawBuilder<unknown>;
