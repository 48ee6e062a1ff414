import { sql } from 'kysely';
import type { Expression, Place } from '../expression.js';
import type { Navigation } from '../model.js';
import { withSource, type Environment } from './environment.js';
import type { Sql } from './sql.js';

type Call = Extract<Expression, { kind: 'call' }>;

/** A condition on the one row to which a variable of a lambda leads, by the key of that row. */
interface Way {
  readonly variable: string;
  readonly navigation: Navigation;
  readonly own: string;
}

/**
 * The condition as one that looks for the key among those of the rows that fulfil it: `e/error in (those with the text)`. PostgreSQL can
 * then find these rows first, and by an index those that lead to them. Nothing where the call has another form. It is only right
 * where null counts as false: a call with null is null.
 */
export function wayCondition(
  environment: Environment,
  call: Call,
  valueSql: (environment: Environment, expression: Expression) => Sql,
): Sql | undefined {
  const way = wayOf(call);
  const source = way && environment.variables.get(way.variable);
  if (!way || source?.kind !== 'row') return undefined;
  const { navigation, variable, own } = way;
  const alias = environment.fresh();
  const model = navigation.target();
  const holds = valueSql(withSource(environment, variable, { kind: 'row', alias }), there(call));
  const keys = sql`select ${sql.id(alias, model.key[0])} from ${environment.rows(model)} as ${sql.id(alias)} where ${holds}`;
  return sql`(${sql.id(source.alias, own)} in (${keys}))`;
}

/** The way along which all places of a call lead, where that is one way by the key of its target. */
function wayOf(call: Call): Way | undefined {
  const [first, ...others] = placesIn(call) ?? [];
  const [navigation, ...further] = first?.through ?? [];
  if (first?.variable === undefined || !navigation || navigation.many || further.length > 0) return undefined;
  const { variable } = first;
  const isSame = (place: Place) =>
    place.variable === variable && place.through.length === 1 && place.through[0] === navigation;
  const [[own, theirs] = [], ...more] = navigation.on;
  const { key } = navigation.target();
  const isByKey = more.length === 0 && key.length === 1 && theirs === key[0];
  return others.every(isSame) && isByKey && typeof own === 'string' ? { variable, navigation, own } : undefined;
}

/** All places in an expression of calls alone; nothing where it has anything else. */
function placesIn(expression: Expression): readonly Place[] | undefined {
  if (expression.kind === 'literal') return [];
  if (expression.kind === 'property') return [expression.place];
  if (expression.kind !== 'call') return undefined;
  const places = expression.operands.map(placesIn);
  return places.includes(undefined) ? undefined : places.flatMap((each) => each ?? []);
}

/** The same expression, on the row to which the way leads. */
function there<E extends Expression>(expression: E): E {
  if (expression.kind === 'property') return { ...expression, place: { ...expression.place, through: [] } };
  return expression.kind === 'call' ? { ...expression, operands: expression.operands.map(there) } : expression;
}
