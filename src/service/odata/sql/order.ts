import { sql } from 'kysely';
import type { Expression, Literal } from '../expression.js';
import type { EntityModel } from '../model.js';
import type { OrderItem, Query } from '../query.js';
import { conjunction, type Environment } from './environment.js';
import type { Sql } from './sql.js';
import { valueSql } from './expression.js';
import { literalSql, exactTimeText } from './scalar.js';

/*
 * Makes a stable order: that of the query, made complete by the key. Null comes before all values in ascending order, and after
 * them in descending order (OData 4.01, Part 1, 11.2.6.2). A page starts after the values of the last row of the page before it,
 * so rows that are added or removed meanwhile do not shift others.
 */

/**
 * The items of a complete order, in which no two rows are equal. Without `$orderby`, the order is that of the key, or that of the
 * time by which the rows are filtered, so that one index serves both.
 */
export function completeOrder({ model, filter, orderBy: wanted }: Query): readonly OrderItem[] {
  const time = wanted.length === 0 && filter ? boundedTime(model, filter) : undefined;
  const orderBy = time === undefined ? wanted : [columnItem(model, time)];
  const named = new Set(orderBy.map(({ expression }) => columnOf(expression)));
  return [...orderBy, ...model.key.filter((name) => !named.has(name)).map((name) => columnItem(model, name))];
}

/** The name of a time that the whole filter limits and that is never null, if there is one. */
function boundedTime(model: EntityModel, filter: Expression): string | undefined {
  if (filter.kind === 'logic') {
    return filter.operator === 'and'
      ? (boundedTime(model, filter.left) ?? boundedTime(model, filter.right))
      : undefined;
  }
  if (filter.kind !== 'comparison' || filter.operator === 'ne') return undefined;
  const column = [filter.left, filter.right].map(columnOf).find((name) => name !== undefined);
  const property = column === undefined ? undefined : model.properties[column];
  return property?.kind === 'dateTime' && property.required ? column : undefined;
}

function columnItem(model: EntityModel, name: string): OrderItem {
  const type = model.properties[name];
  if (!type) throw new Error(`${model.name} has no property ${name}, by which its rows are ordered`);
  return { expression: { kind: 'property', type, place: { through: [], path: [name] } }, direction: 'asc', text: name };
}

/** The name of the column, if an expression is nothing else than a column. */
function columnOf(expression: Expression): string | undefined {
  if (expression.kind !== 'property') return undefined;
  const { variable, through, path } = expression.place;
  return variable === undefined && through.length === 0 && path.length === 1 ? path[0] : undefined;
}

/** Tells whether it is never null. The order must not mention nulls then, so that an index can serve it. */
function isRequired({ expression }: OrderItem): boolean {
  const { type } = expression;
  return columnOf(expression) !== undefined && 'required' in type && type.required === true;
}

export function orderSql(environment: Environment, items: readonly OrderItem[]): Sql {
  return sql.join(
    items.map((item) => {
      const value = valueSql(environment, item.expression);
      if (item.direction === 'asc') return isRequired(item) ? sql`${value} asc` : sql`${value} asc nulls first`;
      return isRequired(item) ? sql`${value} desc` : sql`${value} desc nulls last`;
    }),
  );
}

/** The values of a row in the order, as a JSON array of exact texts, or null. */
export function positionSql(environment: Environment, items: readonly OrderItem[]): Sql {
  const texts = items.map(({ expression }) => {
    const value = valueSql(environment, expression);
    return expression.type.kind === 'dateTime' ? exactTimeText(value) : sql`${value}::text`;
  });
  return sql`jsonb_build_array(${sql.join(texts)})`;
}

/** Tells whether a row comes after the one with these values. */
export function afterSql(environment: Environment, items: readonly OrderItem[], values: readonly Literal[]): Sql {
  const compared = items.map((item, index) => {
    const value = values[index];
    if (!value) throw new Error('a position has a value for each item of the order');
    return compare(valueSql(environment, item.expression), item, value);
  });
  const ways = compared.map(({ after }, index) =>
    conjunction([...compared.slice(0, index).map(({ equal }) => equal), after]),
  );
  const first = compared[0];
  const anyWay = sql`(${sql.join(ways, sql` or `)})`;
  // The limit of the first item is there once more, so that an index can begin there.
  return first && compared.length > 1 ? sql`(${first.notBefore} and ${anyWay})` : anyWay;
}

interface Compared {
  readonly after: Sql;
  readonly equal: Sql;
  readonly notBefore: Sql;
}

function compare(value: Sql, item: OrderItem, bound: Literal): Compared {
  const ascending = item.direction === 'asc';
  if (bound.type.kind === 'null') {
    const after = ascending ? sql`${value} is not null` : sql`false`;
    return { after, equal: sql`${value} is null`, notBefore: ascending ? sql`true` : sql`${value} is null` };
  }
  const literal = literalSql(bound);
  const equal = sql`${value} = ${literal}`;
  if (ascending) return { after: sql`${value} > ${literal}`, equal, notBefore: sql`${value} >= ${literal}` };
  const orNull = (condition: Sql) => (isRequired(item) ? condition : sql`(${condition} or ${value} is null)`);
  return { after: orNull(sql`${value} < ${literal}`), equal, notBefore: orNull(sql`${value} <= ${literal}`) };
}
