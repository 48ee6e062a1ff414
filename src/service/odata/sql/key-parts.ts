import { sql } from 'kysely';
import type { EntityModel } from '../model.js';
import type { Sql } from './sql.js';

/** The columns to select, so that a row has one for each property, also for the parts of its key. */
export function columnsSql(row: string, { properties, keyParts }: EntityModel): Sql {
  if (!keyParts) return sql`*`;
  const { column, names } = keyParts;
  const columns = Object.entries(properties).map(([name, { kind }]) => {
    const index = names.indexOf(name);
    if (index === -1) return sql.id(row, name);
    return sql`${partSql(sql.id(row, column), index, kind === 'integer')} as ${sql.id(name)}`;
  });
  return sql.join(columns);
}

/** Cuts a part out of a key, as `splitText` does. What is not a number is null, whatever the row holds. */
function partSql(key: Sql, index: number, isNumber: boolean): Sql {
  const escaped = sql`split_part(${key}, ',', ${sql.lit(index + 1)})`;
  if (!isNumber) return sql`replace(replace(${escaped}, '~1', ','), '~0', '~')`;
  return sql`case when ${escaped} ~ '^-?[0-9]{1,16}$' then ${escaped}::bigint end`;
}
