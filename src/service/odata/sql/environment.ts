import { sql, type RawBuilder } from 'kysely';

/** A piece of SQL. Values are in it as parameters only, names as quoted identifiers only. */
export type Sql = RawBuilder<unknown>;

/** What a name in an expression stands for: a row of a table, or a value in JSON. */
export interface Source {
  readonly kind: 'row' | 'value';
  readonly alias: string;
}

/** Where an expression is evaluated. */
export interface Environment {
  readonly root: Source;
  readonly variables: ReadonlyMap<string, Source>;
  /** An alias that nothing else has in the same statement. */
  readonly fresh: () => string;
}

export function environmentOf(alias: string, fresh = counter()): Environment {
  return { root: { kind: 'row', alias }, variables: new Map(), fresh };
}

export function withSource({ root, variables, fresh }: Environment, name: string, source: Source): Environment {
  return { root, fresh, variables: new Map([...variables, [name, source]]) };
}

export function conjunction(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

function counter(): () => string {
  let count = 0;
  return () => `odata_${++count}`;
}
