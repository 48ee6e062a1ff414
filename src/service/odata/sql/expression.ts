import { sql } from 'kysely';
import type { Expression, Literal } from '../expression.js';
import { callSql } from './call.js';
import { containmentSql } from './containment.js';
import { conjunction, withSource, type Environment } from './environment.js';
import type { Sql } from './sql.js';
import { collectionSql, placeSql } from './place.js';
import { literalSql } from './scalar.js';
import { wayCondition } from './way-condition.js';

/*
 * Null in OData is not null in SQL: a comparison with null is true or false, and never null (OData 4.01, Part 2, 5.1.1.1). At the
 * top of a filter, null and false mean the same, so a comparison is plain there, and an index can serve it. Everywhere else, the
 * comparison handles null itself.
 */

const COMPARISONS = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

/** A condition where it only matters whether it is true. */
export function conditionSql(environment: Environment, expression: Expression): Sql {
  switch (expression.kind) {
    case 'logic': {
      const [left, right] = [expression.left, expression.right].map((side) => conditionSql(environment, side));
      return expression.operator === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`;
    }
    case 'comparison':
      return comparisonSql(environment, expression, false);
    case 'in':
      return inSql(environment, expression, false);
    case 'call':
      return wayCondition(environment, expression, valueSql) ?? valueSql(environment, expression);
    default:
      return valueSql(environment, expression);
  }
}

/** The value of an expression, exactly as OData defines it. */
export function valueSql(environment: Environment, expression: Expression): Sql {
  const value = (inner: Expression) => valueSql(environment, inner);
  switch (expression.kind) {
    case 'literal':
      return literalSql(expression);
    case 'property':
      return placeSql(environment, expression.place, expression.type);
    case 'not':
      return sql`(not ${value(expression.operand)})`;
    case 'negate':
      return sql`(- ${value(expression.operand)}::numeric)`;
    case 'logic':
      return expression.operator === 'and'
        ? sql`(${value(expression.left)} and ${value(expression.right)})`
        : sql`(${value(expression.left)} or ${value(expression.right)})`;
    case 'comparison':
      return comparisonSql(environment, expression, true);
    case 'arithmetic':
      return arithmeticSql(environment, expression);
    case 'in':
      return inSql(environment, expression, true);
    case 'call':
      return callSql(expression.name, expression.operands, expression.operands.map(value));
    case 'lambda':
      return lambdaSql(environment, expression);
    case 'count': {
      const { from, belongs } = collectionSql(environment, expression.collection);
      return sql`(select count(*) from ${from} where ${belongs})`;
    }
  }
}

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

const isNull = ({ type }: Expression) => type.kind === 'null';

function comparisonSql(environment: Environment, comparison: Of<'comparison'>, exact: boolean): Sql {
  const { operator, left, right } = comparison;
  if (isNull(left) || isNull(right)) return comparisonWithNull(environment, comparison);
  const [a, b] = [valueSql(environment, left), valueSql(environment, right)];
  if (operator === 'ne') return sql`(${a} is distinct from ${b})`;
  if (operator === 'eq') {
    const plain = !exact && (left.kind === 'literal' || right.kind === 'literal');
    if (plain) return conjunction([...containmentSql(environment, left, right), sql`${a} = ${b}`]);
    return sql`(${a} is not distinct from ${b})`;
  }
  const compared = sql`${a} ${COMPARISONS[operator]} ${b}`;
  return exact ? sql`coalesce(${compared}, false)` : sql`(${compared})`;
}

function comparisonWithNull(environment: Environment, { operator, left, right }: Of<'comparison'>): Sql {
  if (operator !== 'eq' && operator !== 'ne') return sql`false`;
  const other = isNull(left) ? right : left;
  if (isNull(other)) return operator === 'eq' ? sql`true` : sql`false`;
  const value = valueSql(environment, other);
  return operator === 'eq' ? sql`(${value} is null)` : sql`(${value} is not null)`;
}

function inSql(environment: Environment, { operand, values }: Of<'in'>, exact: boolean): Sql {
  const given = values.filter((value) => !isNull(value));
  const hasNull = given.length < values.length;
  if (isNull(operand)) return hasNull ? sql`true` : sql`false`;
  const value = valueSql(environment, operand);
  if (given.length === 0) return hasNull ? sql`(${value} is null)` : sql`false`;
  const found = sql`${value} in (${list(given)})`;
  // The comparison with the list is null exactly when the value is.
  if (hasNull) return sql`coalesce(${found}, true)`;
  return exact ? sql`coalesce(${found}, false)` : sql`(${found})`;
}

function list(literals: readonly Literal[]): Sql {
  return sql.join(literals.map(literalSql));
}

function arithmeticSql(environment: Environment, { type, operator, left, right }: Of<'arithmetic'>): Sql {
  const [a, b] = [valueSql(environment, left), valueSql(environment, right)];
  if (left.type.kind === 'dateTime') return operator === 'add' ? sql`(${a} + ${b})` : sql`(${a} - ${b})`;
  // Numeric values do not overflow. A division by zero gives null.
  const [x, y, divisor] = [sql`${a}::numeric`, sql`${b}::numeric`, sql`nullif(${b}::numeric, 0)`];
  switch (operator) {
    case 'add':
      return sql`(${x} + ${y})`;
    case 'sub':
      return sql`(${x} - ${y})`;
    case 'mul':
      return sql`(${x} * ${y})`;
    case 'div':
      return type.kind === 'integer' ? sql`div(${x}, ${divisor})` : sql`(${x} / ${divisor})`;
    case 'divby':
      return sql`(${x} / ${divisor})`;
    case 'mod':
      return sql`mod(${x}, ${divisor})`;
  }
}

function lambdaSql(environment: Environment, { quantifier, collection, variable, condition }: Of<'lambda'>): Sql {
  const { from, belongs, source } = collectionSql(environment, collection);
  const inner = withSource(environment, variable, source);
  return quantifier === 'any'
    ? sql`exists (select 1 from ${from} where ${belongs} and ${conditionSql(inner, condition)})`
    : sql`(not exists (select 1 from ${from} where ${belongs} and ${valueSql(inner, condition)} is not true))`;
}
