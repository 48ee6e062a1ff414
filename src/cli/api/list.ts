import type { StoreViews } from '../../store/index.js';
import { ALL_VIEWS } from '../../store/views/index.js';
import type { Api } from './api.js';
import { issuesOf, Problem } from './problem.js';

/** A row of a view of the store, as in JSON: times are texts. Dimensions stand beside these columns. */
export type ListedRow<V extends keyof StoreViews> = {
  readonly [C in keyof StoreViews[V]]: Date extends StoreViews[V][C]
    ? string | Exclude<StoreViews[V][C], Date>
    : StoreViews[V][C];
};

export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  /** Begins the next page; none on the last one. */
  readonly next?: string;
}

export interface ListQuery {
  /** The view of the store that is listed. */
  readonly view: keyof StoreViews;
  /** The conditions from the command's own options, as OData. */
  readonly conditions: readonly string[];
  /** The filter, as the user has written it. */
  readonly where?: string;
  /** The order, as OData: `workflow_start_time desc`. */
  readonly order: string;
  readonly top: number;
  readonly skipToken?: string;
  /** The expansions to read with each row, as OData. */
  readonly expand?: string;
  readonly deleted?: boolean;
}

/** The most rows that the service gives at once, and the factor by which expansions make them fewer. */
const MOST_ROWS = 1_000;
const EXPANDED_ROWS = 4;

/** Rows of a list of the service. @throws Problem for mistakes in what the user has written */
export async function readList<Row>(api: Api, path: string, asked: ListQuery): Promise<ListedPage<Row>> {
  const { filter, offset } = filterOf(asked);
  const share = asked.expand === undefined ? 1 : EXPANDED_ROWS ** depthOf(asked.expand);
  const rows: Row[] = [];
  let next = asked.skipToken;
  do {
    const query = {
      ...(filter !== undefined && { $filter: filter }),
      $orderby: asked.order,
      ...(asked.expand !== undefined && { $expand: asked.expand }),
      ...(asked.deleted && { deleted: 'true' }),
      ...(next !== undefined && { $skiptoken: next }),
    };
    const prefer = `maxpagesize=${Math.min((asked.top - rows.length) * share, MOST_ROWS)}`;
    const { body } = await api.ask('GET', path, { query, headers: { prefer } }).catch((thrown: unknown) => {
      throw inOptions(thrown, offset);
    });
    const page = body as { readonly value: readonly Row[]; readonly '@odata.nextLink'?: string };
    rows.push(...page.value.map((row) => inOrder(row, asked.view)));
    next = tokenIn(page['@odata.nextLink']);
  } while (next !== undefined && rows.length < asked.top);
  return { rows, ...(next !== undefined && { next }) };
}

/**
 * Puts the members in the order of the view, since JSON from PostgreSQL has an order of its own. Dimensions and expansions come
 * last.
 */
function inOrder<Row>(row: Row, view: keyof StoreViews): Row {
  const columns = Object.keys(ALL_VIEWS.find(({ name }) => name === view)?.columns ?? {});
  const place = (name: string) => (columns.includes(name) ? columns.indexOf(name) : columns.length);
  const entries = Object.entries(row as object).sort(([one], [other]) => place(one) - place(other));
  return Object.fromEntries(entries) as Row;
}

/** The user's own filter comes first, so that the position of a mistake can be shown in it. */
export function filterOf({ where, conditions }: Pick<ListQuery, 'where' | 'conditions'>): {
  readonly filter?: string;
  readonly offset: number;
} {
  if (where === undefined)
    return conditions.length > 0 ? { filter: conditions.join(' and '), offset: 0 } : { offset: 0 };
  if (conditions.length === 0) return { filter: where, offset: 0 };
  return { filter: [`(${where})`, ...conditions].join(' and '), offset: 1 };
}

/** How many expansions stand within each other. Each has at most one within it. */
function depthOf(expand: string): number {
  return 1 + (expand.match(/\$expand=/g)?.length ?? 0);
}

const OPTIONS: Readonly<Record<string, string>> = {
  $filter: '--where',
  $orderby: '--sort',
  $skiptoken: '--skip-token',
};

/** A mistake in a query, with the option of the command in which it is. */
export function inOptions(thrown: unknown, offset: number): unknown {
  if (!(thrown instanceof Problem)) return thrown;
  const [issue] = issuesOf(thrown);
  const option = OPTIONS[issue?.path ?? ''];
  if (!issue || option === undefined) return thrown;
  const placeOf = (at: number) => (option === '--where' ? Math.max(1, at - offset) : at);
  const inOption = (text: string) =>
    text.replace(/^\$\w+, character (\d+)/, (_, at: string) => `${option}, character ${placeOf(Number(at))}`);
  const { position } = issue;
  const place = position === undefined ? {} : { position: placeOf(position) };
  const issues = [{ path: option, message: inOption(issue.message), ...place }];
  return thrown.saying(inOption(thrown.message), { ...thrown.details, issues });
}

function tokenIn(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  return new URL(link, 'http://localhost').searchParams.get('$skiptoken') ?? undefined;
}
