import { sql } from 'kysely';
import type { EntityModel } from '../model.js';
import type { Sql } from './sql.js';

/** What is selected of a row so that it has a column for each property, also for those that are parts of its key. */
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

/** Texts are cut as `splitText` cuts them. What is no number is null, whatever the row holds. */
function partSql(key: Sql, index: number, isNumber: boolean): Sql {
  const escaped = sql`split_part(${key}, ',', ${sql.lit(index + 1)})`;
  if (!isNumber) return sql`replace(replace(${escaped}, '~1', ','), '~0', '~')`;
  return sql`case when ${escaped} ~ '^-?[0-9]{1,16}$' then ${escaped}::bigint end`;
}
