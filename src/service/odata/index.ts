/*
 * OData query options over rows in PostgreSQL. S6.2
 *
 *   const query = parseQuery(url.searchParams, operationsModel);        // throws ODataError: what, where, what to do
 *   const page = new PageQuery(query, { maxRows: 100, maxExpanded: 1000 });
 *   const from = db.selectFrom('operations').where(...whatTheCallerMaySee);
 *   const { items, nextSkipToken } = page.page(await page.select(from, 'operations').execute());
 *   const total = query.count ? await page.count(from, 'operations').executeTakeFirstOrThrow() : undefined;
 *
 * A model says what can be asked for; nothing beyond it is reached. Statements carry values as parameters only, and no
 * value that lies in the rows makes them fail. How long a statement may take is for the connection to say
 * (`statement_timeout`). Needs PostgreSQL 16 or newer.
 */
export { ODataError } from './error.js';
export type { EntityModel } from './model.js';
export { parseQuery } from './query-parser.js';
export { PageQuery, type Page, type PageOptions } from './sql/page.js';
