import type { Expression, Place } from '../../../src/service/odata/expression.js';
import type { Type } from '../../../src/service/odata/type.js';
import type { Own } from '../../../src/service/odata/model.js';
import type { Row } from './things.js';

/*
 * The meaning of a filter, in the plainest words: the SQL is compared with this. Numbers stay small enough to be
 * exact, and upper and lower case are those of the database's locale, which is C.
 */

type Value = string | number | boolean | null;
type Rows = Readonly<Record<string, readonly Row[]>>;

/** Where an expression is evaluated: the row, what variables stand for, and all tables. */
interface Context {
  readonly row: Row;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tables: Rows;
}

export function holds(expression: Expression, row: Row, tables: Rows): boolean {
  return evaluate(expression, { row, variables: {}, tables }) === true;
}

function evaluate(expression: Expression, context: Context): Value {
  const value = (inner: Expression) => evaluate(inner, context);
  switch (expression.kind) {
    case 'literal':
      return typed(
        expression.type.kind === 'null' ? null : fromText(expression.value, expression.type),
        expression.type,
      );
    case 'property':
      return typed(lookUp(expression.place, context), expression.type);
    case 'not': {
      const operand = value(expression.operand);
      return operand === null ? null : !operand;
    }
    case 'negate': {
      const operand = value(expression.operand);
      return operand === null ? null : -Number(operand);
    }
    case 'logic': {
      const sides = [value(expression.left), value(expression.right)];
      const decisive = expression.operator === 'or';
      if (sides.includes(decisive)) return decisive;
      return sides.includes(null) ? null : !decisive;
    }
    case 'comparison':
      return compared(expression.operator, value(expression.left), value(expression.right));
    case 'in': {
      const operand = value(expression.operand);
      return expression.values.some((literal) => value(literal) === operand);
    }
    case 'arithmetic': {
      const [left, right] = [value(expression.left), value(expression.right)];
      if (left === null || right === null) return null;
      return calculated(expression.operator, Number(left), Number(right), expression.type.kind === 'integer');
    }
    case 'call':
      return called(expression.name, expression.operands.map(value));
    case 'lambda': {
      const found = members(expression.collection, context).map((member) =>
        evaluate(expression.condition, {
          ...context,
          variables: { ...context.variables, [expression.variable]: member },
        }),
      );
      return expression.quantifier === 'any' ? found.includes(true) : found.every((one) => one === true);
    }
    case 'count':
      return members(expression.collection, context).length;
  }
}

function members(
  collection: Extract<Expression, { kind: 'count' }>['collection'],
  context: Context,
): readonly unknown[] {
  if (collection.kind === 'values') {
    const values = lookUp(collection.place, context);
    return Array.isArray(values) ? values : [];
  }
  const { target, on } = collection.navigation;
  const own = lookUp({ ...collection.place, path: [] }, context) as Row;
  return (context.tables[target().table] ?? []).filter((row) =>
    on.every(([mine, theirs]) => equals(own, mine, row[theirs])),
  );
}

function equals(row: Row, own: Own, value: unknown): boolean {
  if (typeof own === 'string') return row[own] === value;
  const path = 'text' in own ? own.text : own.anyOf;
  const found = path.reduce<unknown>((inner, name) => (inner as Row | undefined)?.[name], row);
  return 'text' in own ? found === value : Array.isArray(found) && found.includes(value);
}

function lookUp({ variable, through, path }: Place, { row, variables, tables }: Context): unknown {
  let start: unknown = variable === undefined ? row : variables[variable];
  for (const { target, on } of through) {
    const own = start as Row;
    start = tables[target().table]?.find((other) => on.every(([mine, theirs]) => equals(own, mine, other[theirs])));
  }
  const isObject = (value: unknown): value is Row =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), start);
}

function fromText(text: string, { kind }: Type): unknown {
  if (kind === 'integer' || kind === 'double') return Number(text);
  return kind === 'boolean' ? text === 'true' : text;
}

/** The value if it is of the kind, null otherwise. Times become milliseconds. */
function typed(value: unknown, { kind }: Type): Value {
  if (value === undefined || value === null) return null;
  switch (kind) {
    case 'integer':
    case 'double':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'dateTime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && isDay(value) ? Date.parse(value) : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value) ? value : null;
    case 'guid':
      return typeof value === 'string' && /^[\da-f-]{36}$/i.test(value) ? value.toLowerCase() : null;
    case 'object':
    case 'json':
    case 'collection':
      return 'something';
    default:
      return typeof value === 'string' ? value : null;
  }
}

function isDay(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

function compared(operator: string, left: Value, right: Value): boolean {
  if (operator === 'eq') return left === right;
  if (operator === 'ne') return left !== right;
  if (left === null || right === null) return false;
  const order = left < right ? -1 : left > right ? 1 : 0;
  const wanted: Readonly<Record<string, boolean>> = { gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 };
  return wanted[operator] === true;
}

function calculated(operator: string, left: number, right: number, whole: boolean): number | null {
  if (operator === 'add') return left + right;
  if (operator === 'sub') return left - right;
  if (operator === 'mul') return left * right;
  if (right === 0) return null;
  if (operator === 'mod') return left % right;
  return operator === 'div' && whole ? Math.trunc(left / right) : left / right;
}

function called(name: string, operands: readonly Value[]): Value {
  if (operands.includes(null)) return null;
  const [first, second, third] = operands;
  const [text, other] = [String(first), String(second)];
  const at = Math.max(Number(second), 0);
  const date = new Date(typeof first === 'number' ? first : `${text}T00:00:00Z`);
  switch (name) {
    case 'contains':
      return text.includes(other);
    case 'startswith':
      return text.startsWith(other);
    case 'endswith':
      return text.endsWith(other);
    case 'concat':
      return text + other;
    case 'indexof':
      return text.indexOf(other);
    case 'length':
      return text.length;
    case 'substring':
      return third === undefined ? text.slice(at) : text.slice(at, at + Math.max(Number(third), 0));
    case 'tolower':
      return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    case 'toupper':
      return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
    case 'trim':
      return text.trim();
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth() + 1;
    case 'day':
      return date.getUTCDate();
    case 'hour':
      return date.getUTCHours();
    case 'minute':
      return date.getUTCMinutes();
    case 'second':
      return date.getUTCSeconds();
    case 'date':
      return date.toISOString().slice(0, 10);
    case 'floor':
      return Math.floor(Number(first));
    case 'ceiling':
      return Math.ceil(Number(first));
    default:
      throw new Error(`no meaning for ${name}`);
  }
}
