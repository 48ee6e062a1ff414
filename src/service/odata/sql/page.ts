import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { OrderItem, Query } from '../query.js';
import { conjunction, environmentOf, type Sql } from './environment.js';
import { conditionSql } from './expression.js';
import { itemSql } from './item.js';
import { afterSql, completeOrder, orderSql, positionSql } from './order.js';
import { decodeSkipToken, encodeSkipToken, type Position } from './skip-token.js';

/** A row as the database gives it. */
export interface PageRow {
  /** The object for the client. */
  readonly item: Item;
  /** Its values in the order. */
  readonly position: readonly (string | null)[];
}

export type Item = Readonly<Record<string, unknown>>;

export interface PageOptions {
  /** The most rows of a page. */
  readonly maxRows: number;
  /** The most rows that one expanded collection brings along; where there are more, `<name>@reeve.more` says so. */
  readonly maxExpanded: number;
}

export interface Page {
  readonly items: readonly Item[];
  /** For `$skiptoken`, beside the same other options; absent on the last page. */
  readonly nextSkipToken?: string;
}

/** One page of what a query asks for, as additions to a Kysely query on the rows of its model. S6.2 */
export class PageQuery {
  private readonly order: readonly OrderItem[];
  private readonly start: Position | undefined;
  private readonly left: number;
  private readonly rows: number;

  /** @throws ODataError when the skip token is not one of this query */
  constructor(
    private readonly query: Query,
    private readonly options: PageOptions,
  ) {
    this.order = completeOrder(query.model, query.orderBy);
    this.start = query.skipToken === undefined ? undefined : decodeSkipToken(this.order, query.skipToken);
    this.left = this.start ? (this.start.left ?? Infinity) : (query.top ?? Infinity);
    this.rows = Math.min(options.maxRows, this.left);
  }

  /**
   * Adds the filter, the order, the limit and what is selected.
   * @param from a select from the model's table, to which conditions may have been added
   * @param alias what the table is called in it
   */
  select<DB, TB extends keyof DB, O>(
    from: SelectQueryBuilder<DB, TB, O>,
    alias: string,
  ): SelectQueryBuilder<DB, TB, O & PageRow> {
    const environment = environmentOf(alias);
    const conditions: Sql[] = [];
    if (this.query.filter) conditions.push(conditionSql(environment, this.query.filter));
    if (this.start) conditions.push(afterSql(environment, this.order, this.start.values));
    const item = itemSql(environment, this.query, this.options) as RawBuilder<Item>;
    const position = positionSql(environment, this.order) as RawBuilder<PageRow['position']>;
    return (
      from
        .where(condition(conditions))
        .select([item.as('item'), position.as('position')])
        .orderBy(orderSql(environment, this.order))
        // One more than the page has, which shows whether there is another page.
        .limit(this.rows + (this.rows < this.left ? 1 : 0))
        .offset(this.start ? 0 : (this.query.skip ?? 0)) as SelectQueryBuilder<DB, TB, O & PageRow>
    );
  }

  /** The number of all rows that the filter lets through, on any page: what `$count` asks for. */
  count<DB, TB extends keyof DB, O>(
    from: SelectQueryBuilder<DB, TB, O>,
    alias: string,
  ): SelectQueryBuilder<DB, TB, O & { count: number }> {
    const environment = environmentOf(alias);
    const conditions = this.query.filter ? [conditionSql(environment, this.query.filter)] : [];
    const count = sql<number>`count(*)::float8`.as('count');
    return from.where(condition(conditions)).select(count) as SelectQueryBuilder<DB, TB, O & { count: number }>;
  }

  /** The page, from the rows that the select has given. @throws ODataError when an order's values are too long */
  page(rows: readonly PageRow[]): Page {
    const shown = rows.slice(0, this.rows);
    const items = shown.map(({ item }) => withinLimits(item, this.query, this.options.maxExpanded));
    const last = shown.at(-1);
    if (rows.length <= this.rows || !last) return { items };
    const left = this.left === Infinity ? undefined : this.left - this.rows;
    return { items, nextSkipToken: encodeSkipToken(this.order, last.position, left) };
  }
}

function condition(conditions: readonly Sql[]): RawBuilder<SqlBool> {
  return conjunction(conditions) as RawBuilder<SqlBool>;
}

/** Cuts off what shows that an expanded collection has more than it may bring along, and says so. */
function withinLimits(item: Item, query: Query, maxExpanded: number): Item {
  const entries = query.expand.flatMap(({ navigation: { name }, query: inner }): (readonly [string, unknown])[] => {
    const value = item[name];
    if (Array.isArray(value)) {
      const cut = value.slice(0, maxExpanded).map((row: Item) => withinLimits(row, inner, maxExpanded));
      return value.length > maxExpanded
        ? [
            [name, cut],
            [`${name}@reeve.more`, true],
          ]
        : [[name, cut]];
    }
    return isItem(value) ? [[name, withinLimits(value, inner, maxExpanded)]] : [];
  });
  return { ...item, ...Object.fromEntries(entries) };
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
