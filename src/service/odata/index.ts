/*
 * OData query options over rows in PostgreSQL. S6.2
 *
 *   const query = parseQuery(url.searchParams, operationsModel);        // throws ODataError: what, where, what to do
 *   const page = new PageQuery(query, { maxRows: 100, maxExpanded: 1000, rows: allRows });
 *   const { items, nextSkipToken } = page.page((await page.select().execute(db)).rows);
 *   const total = query.count ? (await page.count().execute(db)).rows[0].count : undefined;
 *
 * A model says what can be asked for, and a query reaches nothing else. Statements carry values only as parameters, and no value
 * in the rows makes them fail. The connection limits how long a statement may take (`statement_timeout`). They need PostgreSQL 16
 * or newer.
 */
export { ODataError } from './error.js';
export { MAX_IN_VALUES } from './limits.js';
export {
  OWNER,
  type Annotation,
  type EntityModel,
  type Navigation,
  type Own,
  type Properties,
  type Property,
  type Served,
} from './model.js';
export type { Expression, Literal } from './expression.js';
export type { Query } from './query.js';
export { parseQuery } from './query-parser.js';
export { allRows, conjunction, rowsWhere, type Rows } from './sql/environment.js';
export { filteredRows } from './sql/filtered-rows.js';
export type { Sql } from './sql/sql.js';
export type { Item } from './sql/item.js';
export { PageQuery, type Page, type PageOptions } from './sql/page.js';
