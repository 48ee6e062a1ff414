/*
 * Which conditions of OData Temporal can answer. It knows only the search attributes of what runs. S5.2
 *
 * live-condition.1. A condition is translated with its whole meaning, or not at all. What Temporal cannot tell is never left out.
 */
import { parseEntityId, SEARCH_ATTRIBUTES } from '../../../protocol/names.js';
import { quoted } from '../../../client/live/quoted.js';
import type { Expression, Literal } from '../../odata/expression.js';

/** Thrown for what only the store can tell. */
export class OnlyTheStoreKnows extends Error {
  override readonly name = 'OnlyTheStoreKnows';
}

/** The kind of rows that are listed: operations, deployments, or entities. `type` is there where all entities have the same one. */
export type Listed =
  { readonly of: 'operations' | 'deployments' } | { readonly of: 'entities'; readonly type?: string };

/** A condition of Temporal's queries. */
export interface LiveCondition {
  readonly query: string;
  /** Tells whether it holds only for what runs. */
  readonly runs: boolean;
}

type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
type Value = string | boolean | null;

const SIGNS: Readonly<Record<Operator, string>> = { eq: '=', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=' };
const SWAPPED: Readonly<Record<Operator, Operator>> = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' };
const { state, health, settled, operation, outcome, name, tenant, component } = SEARCH_ATTRIBUTES;
/** The properties whose texts a search attribute has unchanged. */
const TEXTS: Readonly<Record<Listed['of'], Readonly<Record<string, string>>>> = {
  operations: { request_id: operation, name, tenant },
  deployments: { component, phase: state, tenant },
  entities: { type: 'WorkflowType', state, health, operation, tenant },
};

/** @throws OnlyTheStoreKnows */
export function liveCondition(listed: Listed, expression: Expression): LiveCondition {
  switch (expression.kind) {
    case 'logic': {
      const [left, right] = [liveCondition(listed, expression.left), liveCondition(listed, expression.right)];
      const and = expression.operator === 'and';
      const query = `(${left.query}) ${and ? 'AND' : 'OR'} (${right.query})`;
      return { query, runs: and ? left.runs || right.runs : left.runs && right.runs };
    }
    case 'property':
      return compare(listed, propertyOf(expression), 'eq', true);
    case 'not':
      return compare(listed, propertyOf(expression.operand), 'eq', false);
    case 'comparison': {
      const { left, right, operator } = expression;
      if (left.kind === 'literal') return compare(listed, propertyOf(right), SWAPPED[operator], valueOf(left));
      return compare(listed, propertyOf(left), operator, literalOf(right));
    }
    case 'in': {
      const property = propertyOf(expression.operand);
      const each = expression.values.map((value) => compare(listed, property, 'eq', valueOf(value)));
      return { query: each.map(({ query }) => `(${query})`).join(' OR '), runs: each.every(({ runs }) => runs) };
    }
    case 'call': {
      const [of, prefix] = expression.operands;
      if (expression.name !== 'startswith' || !of || prefix?.kind !== 'literal') throw unknown(expression.name);
      return startsWith(listed, propertyOf(of), prefix.value);
    }
    case 'literal':
    case 'arithmetic':
    case 'negate':
    case 'lambda':
    case 'count':
      throw unknown('this kind of condition');
  }
}

/** The condition that a property has a value. @throws OnlyTheStoreKnows */
export function compare(listed: Listed, property: string, operator: Operator, value: Value): LiveCondition {
  if (ENDS.includes(property)) return ofEnd(listed, property, operator, value);
  if (operator === 'eq' || operator === 'ne') {
    const equal = equality(listed, property, operator, value);
    if (equal !== undefined) return { query: equal, runs: false };
  }
  throw unknown(property);
}

function equality(listed: Listed, property: string, operator: 'eq' | 'ne', value: Value): string | undefined {
  const sign = SIGNS[operator];
  const attribute = textOf(listed, property);
  if (attribute !== undefined && typeof value === 'string') return `${attribute} ${sign} ${quoted(value)}`;
  if (attribute !== undefined && value === null) return `${attribute} ${operator === 'eq' ? 'IS NULL' : 'IS NOT NULL'}`;
  if (listed.of !== 'entities' || value === null) return undefined;
  if (property === 'settled' && typeof value === 'boolean') return `${settled} ${sign} ${value}`;
  // A deleted entity does not run.
  if (property === 'deleted' && (value === false) === (operator === 'eq')) return 'ExecutionStatus = "Running"';
  if (property !== 'key' || typeof value !== 'string' || listed.type === undefined) return undefined;
  return parseEntityId(`${listed.type}/${value}`) && `WorkflowId ${sign} ${quoted(`${listed.type}/${value}`)}`;
}

function startsWith(listed: Listed, property: string, prefix: string): LiveCondition {
  const attribute = textOf(listed, property);
  if (attribute !== undefined) return { query: `${attribute} STARTS_WITH ${quoted(prefix)}`, runs: false };
  if (listed.of === 'entities' && listed.type !== undefined && property === 'key') {
    return { query: `WorkflowId STARTS_WITH ${quoted(`${listed.type}/${prefix}`)}`, runs: false };
  }
  throw unknown(property);
}

/** The properties that say how and when something ended. When it began is not told by `StartTime`, which is that of the latest run. */
const ENDS: readonly string[] = ['outcome', 'workflow_end_time', 'end_type', 'end_time'];

/**
 * A condition on how operations and deployments end. While an operation runs, it has no outcome and no end; past its budget, the outcome is
 * `hung`. S5.3
 */
function ofEnd(listed: Listed, property: string, operator: Operator, value: Value): LiveCondition {
  const isEqual = operator === 'eq';
  if (listed.of === 'deployments' && isEqual && value === null) {
    return { query: 'ExecutionStatus = "Running"', runs: true };
  }
  if (listed.of === 'operations' && (isEqual || operator === 'ne')) {
    if (property === 'workflow_end_time' && isEqual && value === null) {
      return { query: `${outcome} IN ("running", "hung")`, runs: true };
    }
    if (property === 'outcome' && isEqual && value === null) return { query: `${outcome} = "running"`, runs: true };
    if (property === 'outcome' && isEqual && value === 'hung') return { query: `${outcome} = "hung"`, runs: true };
  }
  throw unknown(`the ${property} of what does not run`);
}

function textOf({ of }: Listed, property: string): string | undefined {
  return Object.hasOwn(TEXTS[of], property) ? TEXTS[of][property] : undefined;
}

function propertyOf(expression: Expression): string {
  if (expression.kind !== 'property') throw unknown('this kind of condition');
  const { variable, through, path } = expression.place;
  const [first, ...rest] = path;
  if (variable !== undefined || through.length > 0 || rest.length > 0 || first === undefined) {
    throw unknown([...through.map((each) => each.name), ...path].join('/'));
  }
  return first;
}

function literalOf(expression: Expression): Value {
  if (expression.kind !== 'literal') throw unknown('this kind of condition');
  return valueOf(expression);
}

function valueOf({ type, value }: Literal): Value {
  if (type.kind === 'null') return null;
  return type.kind === 'boolean' ? value === 'true' : value;
}

function unknown(what: string): OnlyTheStoreKnows {
  return new OnlyTheStoreKnows(what);
}
