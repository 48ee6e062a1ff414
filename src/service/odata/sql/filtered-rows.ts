import { sql } from 'kysely';
import type { Query } from '../query.js';
import { environmentOf, type Rows } from './environment.js';
import { conditionSql } from './expression.js';
import { withInnerRows } from './inner-rows.js';
import type { Sql } from './sql.js';

/** The name of a row in the filter. */
const ROW = 'odata_0';

/** The rows that the filter of a query lets through, as a table expression: for what is counted and not listed. */
export function filteredRows({ model, filter }: Pick<Query, 'model' | 'filter'>, rows: Rows): Sql {
  const environment = environmentOf(ROW, withInnerRows(rows));
  if (!filter) return rows(model);
  const row = sql.id(ROW);
  return sql`(select ${row}.* from ${rows(model)} as ${row} where ${conditionSql(environment, filter)})`;
}
