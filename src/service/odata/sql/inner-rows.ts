import { sql } from 'kysely';
import { OWNER, type EntityModel, type Within } from '../model.js';
import { rowsWhere, type Rows } from './environment.js';
import type { Sql } from './sql.js';
import { scalarOfJson } from './scalar.js';

/** The same rows, and those that are within them. What is within rows that are left out is left out, too. */
export function withInnerRows(rows: Rows): Rows {
  return (model) => (model.within ? rowsWhere(model, { from: innerRows(model, model.within, rows) }) : rows(model));
}

/** The rows, with a column for each property and one that names the owner. */
function innerRows({ properties }: EntityModel, { owner, path, named, whole }: Within, rows: Rows): Sql {
  const holder = owner();
  const [column, ...names] = path;
  const [key] = holder.key;
  const object = sql`(${sql.id('holder', column)} #> ${names}::text[])`;
  // A value that is not an object holds nothing.
  const held = sql`jsonb_each(case when jsonb_typeof(${object}) = 'object' then ${object} else '{}'::jsonb end)`;
  const columns = Object.entries(properties).map(([name, property]) => {
    const value = name === whole ? sql`inner_row."value"` : sql`(inner_row."value" -> ${name}::text)`;
    return sql`${name === named ? sql`inner_row."name"` : scalarOfJson(value, property)} as ${sql.id(name)}`;
  });
  return sql`(select ${sql.id('holder', key)} as ${sql.id(OWNER)}, ${sql.join(columns)}
    from ${rows(holder)} as holder cross join lateral ${held} as inner_row("name", "value"))`;
}
