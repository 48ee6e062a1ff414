import { BOOLEAN, NULL, type Arithmetic, type Comparison, type Expression, type Literal } from './expression.js';
import { parseCall } from './call-parser.js';
import { parseCollection } from './collection-parser.js';
import { MAX_IN_VALUES } from './limits.js';
import { literalOf } from './literal.js';
import { parsePath } from './path-parser.js';
import type { Scope } from './scope.js';
import type { TokenReader } from './token-reader.js';
import type { Token } from './tokens.js';
import { arithmeticType, comparable, fittedValues, isBoolean, KIND_NAMES, negatedType } from './typing.js';

/*
 * This is operator precedence parsing (Pratt). An operator takes what stands to its right, as long as that binds more strongly
 * than the operator itself. The strengths are those of OData 4.01, Part 2, 5.1.1.17.
 */

const STRENGTHS: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  gt: 4,
  ge: 4,
  lt: 4,
  le: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  divby: 6,
  mod: 6,
  in: 8,
  has: 8,
};
const PREFIX_STRENGTH = 7;

/** Reads a whole expression, up to the first thing that cannot belong to it. @throws ODataError */
export function parseExpression(reader: TokenReader, scope: Scope, strength = 0): Expression {
  let left = parseOperand(reader, scope);
  for (;;) {
    const token = reader.peek();
    const operator = token.kind === 'word' ? token.text.toLowerCase() : '';
    const own = Object.hasOwn(STRENGTHS, operator) ? STRENGTHS[operator] : undefined;
    if (own === undefined || own <= strength) return left;
    requireSpaces(reader);
    reader.next();
    reader.countNode(token.position);
    left = operator === 'in' ? parseIn(reader, token, left) : parseBinary(reader, scope, token, operator, left, own);
  }
}

/** Reads an expression that says yes or no. */
export function parseCondition(reader: TokenReader, scope: Scope): Expression {
  const { position } = reader.peek();
  const condition = parseExpression(reader, scope);
  const { kind } = reader.peek();
  // The word here was probably meant to be an operator, so the error points at it.
  if (!isBoolean(condition.type) && kind !== 'end' && kind !== 'sign') reader.unexpected('an operator');
  return requireBoolean(reader, condition, position);
}

function requireBoolean(reader: TokenReader, expression: Expression, position: number): Expression {
  if (isBoolean(expression.type)) return expression;
  return reader.fail('wrong_type', position, `this is ${KIND_NAMES[expression.type.kind]}, not a condition`);
}

/**
 * An operator such as in `a eq b` needs spaces around it. Otherwise `eq'b'` or `5eq` would be read as something that nobody
 * meant.
 */
function requireSpaces(reader: TokenReader): void {
  const { text, position, spaceBefore } = reader.peek();
  const after = reader.peek(1);
  if (!spaceBefore || (!after.spaceBefore && after.kind !== 'end')) {
    reader.fail('syntax', position, `'${text}' needs a space before and after it`);
  }
}

function parseOperand(reader: TokenReader, scope: Scope): Expression {
  const token = reader.peek();
  reader.countNode(token.position);
  if (reader.isSign('(')) return parseGroup(reader, scope);
  if (reader.isSign('-')) return parseNegation(reader, scope);
  if (reader.isSign('[') || reader.isSign('{')) {
    reader.fail('unsupported', token.position, "JSON is not supported; write a list as ('a','b') after 'in'");
  }
  if (token.kind === 'word' && reader.isSign('(', 1) && token.text.toLowerCase() !== 'not') {
    return parseCall(reader, scope, parseExpression);
  }
  if (token.kind === 'word' && token.text.toLowerCase() === 'not') return parseNot(reader, scope);
  const isVariable = token.kind === 'word' && scope.variables.has(token.text);
  const literal = isVariable ? undefined : literalOf(token, reader);
  if (literal) {
    reader.next();
    return literal;
  }
  if (token.kind !== 'word') reader.unexpected('a value');
  const target = parsePath(reader, scope);
  if (target.secret === true) {
    const why = 'the store holds it encrypted, so that rows can be neither filtered, sorted nor summed by it';
    reader.fail('unsupported', token.position, `'${token.text}' is secret: ${why}`);
  }
  if (target.kind === 'value') return target.expression;
  return parseCollection(reader, scope, target.collection, token, parseCondition);
}

function parseGroup(reader: TokenReader, scope: Scope): Expression {
  reader.expectSign('(');
  const inner = reader.nested(() => parseExpression(reader, scope));
  reader.expectSign(')');
  return inner;
}

function parseNot(reader: TokenReader, scope: Scope): Expression {
  const { position } = reader.next();
  const operand = reader.nested(() => parseExpression(reader, scope, PREFIX_STRENGTH));
  return { kind: 'not', type: BOOLEAN, operand: requireBoolean(reader, operand, position) };
}

function parseNegation(reader: TokenReader, scope: Scope): Expression {
  const { position } = reader.next();
  const operand = reader.nested(() => parseExpression(reader, scope, PREFIX_STRENGTH));
  const type = negatedType(operand);
  if (typeof type === 'string') return reader.fail('wrong_type', position, type);
  return type.kind === 'null' ? NULL : { kind: 'negate', type, operand };
}

function parseBinary(
  reader: TokenReader,
  scope: Scope,
  { position }: Token,
  operator: string,
  left: Expression,
  strength: number,
): Expression {
  if (operator === 'has') reader.fail('unsupported', position, "'has' is not supported, since no enum has flags");
  const start = reader.peek().position;
  const right = parseExpression(reader, scope, strength);
  if (operator === 'and' || operator === 'or') {
    requireBoolean(reader, left, position);
    requireBoolean(reader, right, start);
    return { kind: 'logic', type: BOOLEAN, operator, left, right };
  }
  if (isComparison(operator)) {
    const sides = comparable(operator, left, right);
    if (typeof sides === 'string') return reader.fail('wrong_type', position, sides);
    return { kind: 'comparison', type: BOOLEAN, operator, left: sides[0], right: sides[1] };
  }
  if (!isArithmetic(operator)) throw new Error(`'${operator}' has a strength and no meaning`);
  const type = arithmeticType(operator, left, right);
  if (typeof type === 'string') return reader.fail('wrong_type', position, type);
  if (left.type.kind === 'null' || right.type.kind === 'null') return NULL;
  return { kind: 'arithmetic', type, operator, left, right };
}

function parseIn(reader: TokenReader, { position }: Token, operand: Expression): Expression {
  if (!reader.isSign('(')) {
    reader.fail(
      'unsupported',
      reader.peek().position,
      "a list of literals has to come after 'in', such as ('a','b'); for anything else, use any",
    );
  }
  reader.expectSign('(');
  const literals: Literal[] = [];
  while (!reader.isSign(')')) {
    if (literals.length > 0) reader.expectSign(',');
    const token = reader.peek();
    reader.countNode(token.position);
    const literal = literalOf(token, reader);
    if (!literal && token.kind === 'word') {
      reader.fail(
        'unsupported',
        token.position,
        `'${token.text}' is not a literal; only literals are supported after 'in'`,
      );
    }
    if (!literal) reader.unexpected('a literal');
    if (literals.push(literal) > MAX_IN_VALUES) {
      reader.fail('limit', token.position, `more than ${MAX_IN_VALUES} values come after 'in'`);
    }
    reader.next();
  }
  reader.expectSign(')');
  const values = fittedValues(operand, literals);
  if (typeof values === 'string') return reader.fail('wrong_type', position, values);
  return { kind: 'in', type: BOOLEAN, operand, values };
}

function isComparison(operator: string): operator is Comparison {
  return ['eq', 'ne', 'gt', 'ge', 'lt', 'le'].includes(operator);
}

function isArithmetic(operator: string): operator is Arithmetic {
  return ['add', 'sub', 'mul', 'div', 'divby', 'mod'].includes(operator);
}
