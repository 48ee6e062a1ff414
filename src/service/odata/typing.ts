import {
  DATE_TIME,
  DOUBLE,
  INTEGER,
  type Arithmetic,
  type Comparison,
  type Expression,
  type Literal,
} from './expression.js';
import type { Type } from './type.js';

/*
 * Says which types go together. Where they do not, functions give the problem as a string, since only the parser knows the place.
 */

type Kind = Type['kind'];

const isNumber = ({ kind }: Type) => kind === 'integer' || kind === 'double';
export const isBoolean = ({ kind }: Type) => kind === 'boolean' || kind === 'null';
const isOrdered = ({ kind }: Type) => !['object', 'collection', 'json', 'enum'].includes(kind);

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  string: 'a string',
  integer: 'an integer',
  double: 'a number',
  boolean: 'true or false',
  dateTime: 'a dateTime',
  date: 'a date',
  guid: 'a guid',
  enum: 'one of some names',
  object: 'an object',
  collection: 'a collection',
  json: 'any JSON',
  duration: 'a duration',
  null: 'null',
};

/** Gives both sides as values of one type, or says what is wrong with comparing them. */
export function comparable(
  operator: Comparison,
  left: Expression,
  right: Expression,
): readonly [Expression, Expression] | string {
  const [first, second] = [fitted(left, right.type), fitted(right, left.type)];
  if (typeof first === 'string') return first;
  if (typeof second === 'string') return second;
  const [a, b] = [first.type, second.type];
  if (operator !== 'eq' && operator !== 'ne' && !(isOrdered(a) && isOrdered(b))) {
    return `'${operator}' has no meaning for ${KIND_NAMES[isOrdered(a) ? b.kind : a.kind]}`;
  }
  if (a.kind === 'null' || b.kind === 'null') return [first, second];
  if (a.kind === 'object' || a.kind === 'json' || b.kind === 'object' || b.kind === 'json') {
    return 'an object can only be compared with null; name one of its properties';
  }
  const same = a.kind === b.kind || (isNumber(a) && isNumber(b)) || (isText(a) && isText(b));
  return same ? [first, second] : `${KIND_NAMES[a.kind]} cannot be compared with ${KIND_NAMES[b.kind]}`;
}

/** Gives the values after `in`, each as a value of the operand's type, or says what is wrong with one of them. */
export function fittedValues(operand: Expression, values: readonly Literal[]): readonly Literal[] | string {
  const fittedOnes: Literal[] = [];
  for (const value of values) {
    const pair = comparable('eq', operand, value);
    if (typeof pair === 'string') return pair;
    if (pair[1].kind === 'literal') fittedOnes.push(pair[1]);
  }
  return fittedOnes;
}

/** A literal as the other side needs it: a string becomes the name of an enum, and a date the start of that day. */
function fitted(expression: Expression, wanted: Type): Expression | string {
  if (expression.kind !== 'literal') return expression;
  const { kind } = expression.type;
  if (wanted.kind === 'enum' && kind === 'string') {
    if (wanted.values.includes(expression.value)) return { ...expression, type: wanted };
    return `'${expression.value}' is not one of ${wanted.values.map((value) => `'${value}'`).join(', ')}`;
  }
  if (wanted.kind === 'dateTime' && kind === 'date') {
    return { ...expression, type: wanted, value: `${expression.value}T00:00:00Z` };
  }
  if (kind === 'string' && ['dateTime', 'date', 'guid', 'integer', 'double', 'boolean'].includes(wanted.kind)) {
    return `a string cannot be compared with ${KIND_NAMES[wanted.kind]}; write it without quotes`;
  }
  return expression;
}

function isText({ kind }: Type): boolean {
  return kind === 'string' || kind === 'enum';
}

/** Gives the type of an arithmetic expression, or says what is wrong with it. */
export function arithmeticType(operator: Arithmetic, left: Expression, right: Expression): Type | string {
  const [a, b] = [left.type, right.type];
  const moved = (operator === 'add' || operator === 'sub') && a.kind === 'dateTime' && b.kind === 'duration';
  if (moved) {
    // One step from a given time stays within what a timestamp can hold. A sum of sums could leave it.
    if (right.kind !== 'literal') return 'only a literal duration can be added to a dateTime';
    if (left.kind === 'arithmetic') return 'only one duration can be added to a dateTime or subtracted from it';
    return DATE_TIME;
  }
  if (operator === 'sub' && a.kind === 'dateTime' && b.kind === 'dateTime') {
    const given = left.kind !== 'arithmetic' && right.kind !== 'arithmetic';
    return given
      ? { kind: 'duration' }
      : 'a dateTime can only be subtracted where it is not a sum or difference itself';
  }
  for (const type of [a, b]) {
    if (!isNumber(type) && type.kind !== 'null') return `'${operator}' has no meaning for ${KIND_NAMES[type.kind]}`;
  }
  return a.kind === 'integer' && b.kind === 'integer' && operator !== 'divby' ? INTEGER : DOUBLE;
}

/** Gives the type of `-x`, or says what is wrong with it. */
export function negatedType({ type }: Expression): Type | string {
  return isNumber(type) || type.kind === 'null' ? type : `'-' has no meaning for ${KIND_NAMES[type.kind]}`;
}

/** Tells whether a value can be given where the function expects another kind. */
export function accepts(wanted: Kind, given: Type): boolean {
  if (given.kind === 'null' || given.kind === wanted) return true;
  if (wanted === 'string') return given.kind === 'enum';
  return wanted === 'double' && given.kind === 'integer';
}
