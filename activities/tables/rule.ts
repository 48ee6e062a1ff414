import pg from 'pg';
import type { Rule } from './operations/validate.js';

/** A rule as PostgreSQL takes it. */
export interface RuleText {
  /** True, or nothing, for a row that keeps the rule. */
  readonly kept: string;
  /** True for a row that breaks it. A row about which the rule says nothing keeps it, as with any CHECK. */
  readonly broken: string;
  /** The columns that it names; an expression is looked at by PostgreSQL itself. */
  readonly columns: readonly string[];
}

export function textOf(rule: Rule): RuleText {
  if ('notNull' in rule) {
    const column = pg.escapeIdentifier(rule.notNull);
    return { kept: `${column} IS NOT NULL`, broken: `${column} IS NULL`, columns: [rule.notNull] };
  }
  if ('check' in rule) return { ...expression(rule.check), columns: [] };
  const column = pg.escapeIdentifier(rule.column);
  const sides = [
    ...(rule.min === undefined ? [] : [`${column} >= ${rule.min}`]),
    ...(rule.max === undefined ? [] : [`${column} <= ${rule.max}`]),
  ];
  return { ...expression(sides.join(' AND ')), columns: [rule.column] };
}

function expression(kept: string) {
  return { kept, broken: `(${kept}) IS FALSE` };
}
