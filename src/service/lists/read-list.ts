import type { StoreReader } from '../../store/index.js';
import { PageQuery, type Item, type Query } from '../odata/index.js';
import { readStore } from './store-problem.js';
import type { Visible } from './visible.js';

export interface ListLimits {
  /** The most rows of the page. */
  readonly maxRows: number;
  /** The most rows of one expanded collection. */
  readonly maxExpanded: number;
}

/** Advice for a list that takes too long. */
const TOO_MUCH =
  'Filter by a key, a state, a dimension or a time; leave out $orderby, $count or $expand; or ask for fewer rows with $top.';

/** A page of a list. */
export interface Listed {
  readonly items: readonly Item[];
  /** The token of the next page; absent on the last one. */
  readonly nextSkipToken?: string;
  /** The number of rows of all pages, when the query asks for it. */
  readonly count?: number;
}

/** @throws ProblemError 503, 504; ODataError for a skip token that is not right */
export async function readList(
  reader: StoreReader,
  query: Query,
  { rows }: Visible,
  limits: ListLimits,
): Promise<Listed> {
  const page = new PageQuery(query, { ...limits, rows });
  return readStore(TOO_MUCH, async () => {
    const found = await page.select().execute(reader);
    if (!query.count) return page.page(found.rows);
    const count = page.all(found.rows) ?? (await page.count().execute(reader)).rows[0]?.count ?? 0;
    return { ...page.page(found.rows), count };
  });
}
