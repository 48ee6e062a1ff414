import { readingFailure, type StoreReader } from '../../store/index.js';
import { PageQuery, type Item, type Query } from '../odata/index.js';
import { ProblemError } from '../problem.js';
import type { Visible } from './visible.js';

export interface ListLimits {
  /** The most rows of the page. */
  readonly maxRows: number;
  /** The most rows of one expanded collection. */
  readonly maxExpanded: number;
}

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
  try {
    const found = await page.select().execute(reader);
    const counted = query.count ? await page.count().execute(reader) : undefined;
    return { ...page.page(found.rows), ...(counted && { count: counted.rows[0]?.count ?? 0 }) };
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (!problem) throw thrown;
    // The cause is for the log, and for those who may know.
    problem.cause = thrown;
    throw problem;
  }
}

function problemOf(thrown: unknown): ProblemError | undefined {
  const later = { 'Retry-After': '5' };
  switch (readingFailure(thrown)) {
    case 'away':
      return new ProblemError(503, 'store_away', 'The store cannot be reached, so nothing can be listed.', {}, later);
    case 'outdated': {
      const message = `The schema of the store is not the one that this version needs. Run 'reeve store migrate'.`;
      return new ProblemError(503, 'store_outdated', message, {}, later);
    }
    case 'too_much': {
      const message =
        'The query takes too long or gives too much. Filter by a key, a state, a dimension or a time, leave out $orderby, ' +
        '$count or $expand, or ask for fewer rows with $top.';
      return new ProblemError(504, 'query_too_large', message);
    }
    case 'refused':
    case undefined:
      return undefined;
  }
}
