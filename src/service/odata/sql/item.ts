import { sql } from 'kysely';
import type { Annotation, EntityModel, Property } from '../model.js';
import type { ExpandItem, Query } from '../query.js';
import { conjunction, environmentOf, type Environment } from './environment.js';
import type { Sql } from './sql.js';
import { conditionSql } from './expression.js';
import { completeOrder, orderSql, positionSql } from './order.js';
import { joined } from './place.js';
import { jsonOfColumn } from './scalar.js';

/*
 * Makes of a row the JSON object that the client gets: what $select names, and what $expand adds.
 */

/** A row as the client gets it. */
export type Item = Readonly<Record<string, unknown>>;

/** How much of a property is selected: all of it, or some of what it holds. */
type Selection = ReadonlyMap<string, Selection> | 'whole';

/** How many pairs one call makes an object of. A function of PostgreSQL takes at most 100 operands. */
const PAIRS_PER_OBJECT = 40;

export interface ItemOptions {
  /** The most rows of one expanded collection. One more is read, which shows whether there are more. */
  readonly maxExpanded: number;
}

/** A row of an expansion, with its values in the order. */
export type ExpandedRow = readonly [item: unknown, position: readonly (string | null)[]];

/** The member of an item that says, for its expanded collections, where the item itself is served. */
export const PLACE = '@place';

/** The JSON object of a row, whose collections still hold `ExpandedRow`s. `environment.root` is the row. */
export function itemSql(environment: Environment, query: Query, options: ItemOptions): Sql {
  const { model } = query;
  const selection = selectionOf(query.select ?? Object.keys(model.properties).map((name) => [name]));
  const properties = [...selection].map(
    ([name, within]) => [name, propertySql(environment, model, name, within)] as const,
  );
  const expanded = query.expand.flatMap((item) => expandSql(environment, item, options));
  const hasCollections = query.expand.some(({ navigation }) => navigation.many);
  const object = objectSql([
    ...properties,
    ...expanded,
    ...(hasCollections ? [[PLACE, placeSql(environment, model)] as const] : []),
  ]);
  return model.annotations ? sql`(${object} || ${annotationsSql(environment, model.annotations)})` : object;
}

function annotationsSql({ root, rows }: Environment, annotations: Readonly<Record<string, Annotation>>): Sql {
  const pairs = Object.entries(annotations).map(([name, { table, column, only, on, guarded }]) => {
    const conditions = [
      ...Object.entries(only).map(([theirs, value]) => sql`${sql.id('annotation', theirs)} = ${value}`),
      ...on.map(([own, theirs]) => sql`${sql.id('annotation', theirs)} = ${sql.id(root.alias, own)}`),
    ];
    const model = { name: table, table, key: [column], properties: {}, navigation: [] } as const;
    const relation = guarded ? rows(model) : sql`${sql.table(table)}`;
    const value = sql`select ${sql.id('annotation', column)} from ${relation} as annotation`;
    return [name, sql`(${value} where ${conjunction(conditions)} limit 1)`] as const;
  });
  return sql`jsonb_strip_nulls(${objectSql(pairs)})`;
}

/** The values for the braces of the path under which a row is served. */
function placeSql({ root }: Environment, { served, name }: EntityModel): Sql {
  if (!served) throw new Error(`${name} leads to collections, but has no address`);
  return sql`jsonb_build_array(${sql.join(served.by.map((column) => sql`${sql.id(root.alias, column)}::text`))})`;
}

function selectionOf(paths: readonly (readonly string[])[]): Exclude<Selection, 'whole'> {
  const selection = new Map<string, Selection>();
  for (const name of new Set(paths.map(([first]) => first))) {
    if (name === undefined) continue;
    const rests = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    selection.set(name, rests.some((rest) => rest.length === 0) ? 'whole' : selectionOf(rests));
  }
  return selection;
}

function propertySql({ root }: Environment, model: EntityModel, name: string, within: Selection): Sql {
  const property = model.properties[name];
  if (!property) throw new Error(`${model.name} has no property ${name}`);
  const column = sql`${sql.id(root.alias, name)}`;
  return within === 'whole' ? columnSql(column, property) : partSql(column, within);
}

function columnSql(column: Sql, property: Property): Sql {
  return ['object', 'collection', 'json'].includes(property.kind) ? column : jsonOfColumn(column, property);
}

function partSql(json: Sql, within: Selection): Sql {
  if (within === 'whole') return json;
  const parts = [...within].map(([name, inner]) => [name, partSql(sql`(${json} -> ${name}::text)`, inner)] as const);
  return sql`(case when jsonb_typeof(${json}) = 'object' then ${objectSql(parts)} end)`;
}

function objectSql(pairs: readonly (readonly [string, Sql])[]): Sql {
  const objects: Sql[] = [];
  for (let index = 0; index < pairs.length; index += PAIRS_PER_OBJECT) {
    const some = pairs.slice(index, index + PAIRS_PER_OBJECT).map(([name, value]) => sql`${name}::text, ${value}`);
    objects.push(sql`jsonb_build_object(${sql.join(some)})`);
  }
  return objects.length === 0 ? sql`'{}'::jsonb` : sql`(${sql.join(objects, sql` || `)})`;
}

function expandSql(
  outer: Environment,
  { navigation, query }: ExpandItem,
  options: ItemOptions,
): readonly (readonly [string, Sql])[] {
  const alias = outer.fresh();
  const inner = environmentOf(alias, outer.rows, outer.fresh);
  const item = itemSql(inner, query, options);
  const from = sql`${outer.rows(query.model)} as ${sql.id(alias)}`;
  const belongs = joined(navigation, outer.root.alias, alias);
  if (!navigation.many) return [[navigation.name, sql`(select ${item} from ${from} where ${belongs} limit 1)`]];
  const where = query.filter ? conjunction([belongs, conditionSql(inner, query.filter)]) : belongs;
  const order = completeOrder(query);
  const limit = Math.min(query.top ?? Infinity, options.maxExpanded + 1);
  const row = sql`jsonb_build_array(${item}, ${positionSql(inner, order)})`;
  const rows = sql`select ${row} as item from ${from} where ${where} order by ${orderSql(inner, order)} limit ${limit} offset ${query.skip ?? 0}`;
  const gathered = sql`(select coalesce(jsonb_agg(${sql.id(`${alias}_rows`, 'item')}), '[]'::jsonb) from (${rows}) as ${sql.id(`${alias}_rows`)})`;
  const pairs: (readonly [string, Sql])[] = [[navigation.name, gathered]];
  if (query.count) {
    pairs.push([`${navigation.name}@odata.count`, sql`(select to_jsonb(count(*)) from ${from} where ${where})`]);
  }
  return pairs;
}
