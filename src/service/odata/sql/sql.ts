import type { RawBuilder } from 'kysely';

/** A piece of SQL. It has values only as parameters, and names only as quoted identifiers. */
export type Sql = RawBuilder<unknown>;
