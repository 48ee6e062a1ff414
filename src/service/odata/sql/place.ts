import { sql } from 'kysely';
import type { Collection, Place } from '../expression.js';
import type { Type } from '../type.js';
import type { Navigation, Own } from '../model.js';
import { conjunction, type Environment, type Source } from './environment.js';
import type { Sql } from './sql.js';
import { scalarOfJson } from './scalar.js';

/** The value at a place. */
export function placeSql(environment: Environment, place: Place, type: Type): Sql {
  return along(environment, place, (source) => valueIn(source, place.path, type));
}

/**
 * A table expression with the values or rows of a collection, which of them belong to it, and their alias. What belongs is no part of
 * the table expression: PostgreSQL can then look for all of a condition once, and not again for each row.
 */
export function collectionSql(
  environment: Environment,
  collection: Collection,
): { readonly from: Sql; readonly belongs: Sql; readonly source: Source } {
  const alias = environment.fresh();
  if (collection.kind === 'values') {
    const { place } = collection;
    const json = along(environment, place, (source) => jsonIn(source, place.path));
    return {
      from: sql`jsonb_array_elements(${arrayOf(json)}) as ${sql.id(alias)}("value")`,
      belongs: sql`true`,
      source: { kind: 'value', alias },
    };
  }
  const { navigation, place } = collection;
  const belongs = along(environment, place, (source) => joined(navigation, source.alias, alias));
  const from = sql`${environment.rows(navigation.target())} as ${sql.id(alias)}`;
  return { from, belongs, source: { kind: 'row', alias } };
}

/** The condition under which a row of the target belongs to a row. */
export function joined({ on }: Navigation, own: string, theirs: string): Sql {
  return conjunction(on.map(([mine, other]) => sql`${sql.id(theirs, other)} = ${ownSql(own, mine)}`));
}

function ownSql(alias: string, own: Own): Sql {
  if (typeof own === 'string') return sql`${sql.id(alias, own)}`;
  const source: Source = { kind: 'row', alias };
  if ('text' in own) return scalarOfJson(jsonIn(source, own.text), { kind: 'string' });
  // It is an array and not a subquery, so that an index can find what is equal.
  return sql`any(array(select jsonb_array_elements_text(${arrayOf(jsonIn(source, own.anyOf))})))`;
}

/** The array. What is not an array, or does not exist, has no values. */
function arrayOf(json: Sql): Sql {
  return sql`(case when jsonb_typeof(${json}) = 'array' then ${json} else '[]'::jsonb end)`;
}

function sourceOf({ root, variables }: Environment, { variable }: Place): Source {
  if (variable === undefined) return root;
  const source = variables.get(variable);
  if (!source) throw new Error(`the variable ${variable} is not bound`);
  return source;
}

/** Goes from row to row along the place, and asks for something at the end. Gives null when there is no such row. */
function along(environment: Environment, place: Place, ask: (source: Source) => Sql): Sql {
  const step = (source: Source, [next, ...rest]: readonly Navigation[]): Sql => {
    if (!next) return ask(source);
    const alias = environment.fresh();
    const asked = step({ kind: 'row', alias }, rest);
    const table = environment.rows(next.target());
    return sql`(select ${asked} from ${table} as ${sql.id(alias)} where ${joined(next, source.alias, alias)} limit 1)`;
  };
  return step(sourceOf(environment, place), place.through);
}

function valueIn(source: Source, path: readonly string[], type: Type): Sql {
  const [column, ...inner] = path;
  const isScalar = !['object', 'collection', 'json'].includes(type.kind);
  if (source.kind === 'row' && column !== undefined && inner.length === 0 && isScalar) {
    const value = sql`${sql.id(source.alias, column)}`;
    // A literal can be too large for a double, and PostgreSQL would not compare it at all then.
    return type.kind === 'double' ? sql`${value}::numeric` : value;
  }
  return scalarOfJson(jsonIn(source, path), type);
}

function jsonIn(source: Source, path: readonly string[]): Sql {
  const [column = 'value', ...inner] = source.kind === 'value' ? ['value', ...path] : path;
  const start = sql`${sql.id(source.alias, column)}`;
  return inner.length === 0 ? start : sql`(${start} #> ${inner}::text[])`;
}
