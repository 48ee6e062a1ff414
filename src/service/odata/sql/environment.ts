import { sql } from 'kysely';
import type { EntityModel } from '../model.js';
import { columnsSql } from './key-parts.js';
import type { Sql } from './sql.js';

/** The source that a name in an expression stands for: a row of a table, or a value in JSON. */
export interface Source {
  readonly kind: 'row' | 'value';
  readonly alias: string;
}

/**
 * The rows of a model, as a table expression. Every row that a query reaches comes from here, also by a navigation, so what it
 * leaves out cannot be found in any way.
 */
export type Rows = (model: EntityModel) => Sql;

/** Where an expression is evaluated. */
export interface Environment {
  readonly root: Source;
  readonly variables: ReadonlyMap<string, Source>;
  readonly rows: Rows;
  /** An alias that nothing else has in the same statement. */
  readonly fresh: () => string;
}

export function environmentOf(alias: string, rows: Rows, fresh = counter()): Environment {
  return { root: { kind: 'row', alias }, variables: new Map(), rows, fresh };
}

export function withSource(environment: Environment, name: string, source: Source): Environment {
  return { ...environment, variables: new Map([...environment.variables, [name, source]]) };
}

/** All rows that belong to a model. */
export const allRows: Rows = (model) => rowsWhere(model, {});

/** The rows of a model that are in a relation, or else in its table, and for which a condition holds. */
export function rowsWhere(
  model: EntityModel,
  { from, where }: { readonly from?: Sql; readonly where?: (row: string) => Sql },
): Sql {
  const { table, only = {}, keyParts } = model;
  const row = 'of_model';
  const belongs = Object.entries(only).map(([column, value]) => {
    const own = sql.id(row, column);
    if (typeof value !== 'object') return sql`${own} = ${value}`;
    // No row has one of no texts, whatever the column holds.
    return value.length === 0 ? sql`false` : sql`${own} = any(${value}::text[])`;
  });
  const conditions = [...belongs, ...(where ? [where(row)] : [])];
  const relation = from ?? sql`${sql.table(table)}`;
  if (conditions.length === 0 && !keyParts) return relation;
  return sql`(select ${columnsSql(row, model)} from ${relation} as ${sql.id(row)} where ${conjunction(conditions)})`;
}

export function conjunction(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

function counter(): () => string {
  let count = 0;
  return () => `odata_${++count}`;
}
