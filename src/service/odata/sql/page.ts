import { sql, type RawBuilder } from 'kysely';
import type { Expression } from '../expression.js';
import type { OrderItem, Query } from '../query.js';
import { conjunction, environmentOf, type Environment, type Rows } from './environment.js';
import type { Sql } from './sql.js';
import { withInnerRows } from './inner-rows.js';
import { conditionSql } from './expression.js';
import { expandedItem } from './expanded-item.js';
import { itemSql, type Item } from './item.js';
import { afterSql, completeOrder, orderSql, positionSql } from './order.js';
import { decodeSkipToken, encodeSkipToken, type Position } from './skip-token.js';

/** A row as the database gives it. */
export interface PageRow {
  /** The object for the client. */
  readonly item: Item;
  /** The row's values in the order. */
  readonly position: readonly (string | null)[];
  /** The number of all rows that the filter lets through, where the select has counted them. */
  readonly total?: number;
}

/** The name of the row in the statement. */
const ROOT = 'odata_0';
/** The name of the keys that were found and counted. */
const FOUND = 'odata_found';

function asksCollections(filter: Expression): boolean {
  if (filter.kind === 'logic') return asksCollections(filter.left) || asksCollections(filter.right);
  return filter.kind === 'lambda' || (filter.kind === 'not' && asksCollections(filter.operand));
}

export interface PageOptions {
  /** The rows that exist for whoever asks: `allRows`, or fewer. */
  readonly rows: Rows;
  /** The most rows of a page. */
  readonly maxRows: number;
  /** The most rows of one expanded collection. Where there are more, `<name>@odata.nextLink` leads to them. */
  readonly maxExpanded: number;
}

export interface Page {
  readonly items: readonly Item[];
  /** The value for `$skiptoken`, with the same other options; absent on the last page. */
  readonly nextSkipToken?: string;
}

/** The statements for one page of what a query asks for. S6.2 */
export class PageQuery {
  readonly #query: Query;
  readonly #options: PageOptions;
  readonly #order: readonly OrderItem[];
  readonly #start: Position | undefined;
  /** How many rows of `$top` are left. */
  readonly #left: number;
  readonly #rows: number;

  /** @throws ODataError when the skip token is not one of this query */
  constructor(query: Query, options: PageOptions) {
    this.#query = query;
    this.#options = options;
    this.#order = completeOrder(query);
    this.#start = query.skipToken === undefined ? undefined : decodeSkipToken(this.#order, query.skipToken);
    this.#left = this.#start ? (this.#start.left ?? Infinity) : (query.top ?? Infinity);
    this.#rows = Math.min(options.maxRows, this.#left);
  }

  /** The statement that reads the rows for `page`. */
  select(): RawBuilder<PageRow> {
    const environment = this.#environment();
    const conditions = this.#filter(environment);
    if (this.#start) conditions.push(afterSql(environment, this.#order, this.#start.values));
    const item = itemSql(environment, this.#query, this.#options);
    const position = positionSql(environment, this.#order);
    // It reads one more row than the page has, which shows whether there is another page.
    const limit = this.#rows + (this.#rows < this.#left ? 1 : 0);
    const offset = this.#start ? 0 : (this.#query.skip ?? 0);
    if (this.#countsAtOnce()) {
      // The keys of the rows are counted, so that the filter is evaluated once for each row.
      const keys = this.#query.model.key.map((name) => sql.id(ROOT, name));
      const found = sql`(select ${sql.join(keys)}, count(*) over ()::float8 as total from ${this.#from(environment)}
        where ${conjunction(conditions)} order by ${orderSql(environment, this.#order)} limit ${limit})`;
      const isFound = this.#query.model.key.map((name) => sql`${sql.id(ROOT, name)} = ${sql.id(FOUND, name)}`);
      return sql`select ${item} as item, ${position} as position, ${sql.id(FOUND, 'total')} as total
        from ${found} as ${sql.id(FOUND)} join ${this.#from(environment)} on ${conjunction(isFound)}
        order by ${orderSql(environment, this.#order)}`;
    }
    return sql`select ${item} as item, ${position} as position from ${this.#from(environment)}
      where ${conjunction(conditions)} order by ${orderSql(environment, this.#order)} limit ${limit} offset ${offset}`;
  }

  /** The statement that counts all rows that the filter lets through, on any page, for `$count`. */
  count(): RawBuilder<{ readonly count: number }> {
    const environment = this.#environment();
    const where = conjunction(this.#filter(environment));
    return sql`select count(*)::float8 as count from ${this.#from(environment)} where ${where}`;
  }

  /** The number of all rows that the filter lets through, where the select has counted them or its page holds all. */
  all(rows: readonly PageRow[]): number | undefined {
    if (rows[0]?.total !== undefined) return rows[0].total;
    return !this.#start && !this.#query.skip && rows.length < this.#rows ? rows.length : undefined;
  }

  /**
   * Tells whether the first page and the count come from one reading of the rows. It has to read them all then, so it is only worth it
   * for a filter that takes long for each row.
   */
  #countsAtOnce(): boolean {
    const { count, skip, filter } = this.#query;
    return count && !skip && !this.#start && this.#rows > 0 && filter !== undefined && asksCollections(filter);
  }

  #environment(): Environment {
    return environmentOf(ROOT, withInnerRows(this.#options.rows));
  }

  #from({ rows }: Environment): Sql {
    return sql`${rows(this.#query.model)} as ${sql.id(ROOT)}`;
  }

  #filter(environment: Environment): Sql[] {
    return this.#query.filter ? [conditionSql(environment, this.#query.filter)] : [];
  }

  /** Makes the page of the rows that the select has given. @throws ODataError when an order's values are too long */
  page(rows: readonly PageRow[]): Page {
    const shown = rows.slice(0, this.#rows);
    const items = shown.map(({ item }) => expandedItem(item, this.#query, this.#options.maxExpanded));
    const last = shown.at(-1);
    if (rows.length <= this.#rows || !last) return { items };
    const left = this.#left === Infinity ? undefined : this.#left - this.#rows;
    return { items, nextSkipToken: encodeSkipToken(this.#order, last.position, left) };
  }
}
