import type { ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { ODataError, parseQuery, type EntityModel, type Query } from '../odata/index.js';
import type { ServiceStore } from '../service-store.js';
import { withExecutions } from './execution-links.js';
import { withSentIds } from '../sent-as.js';
import { listOrLive } from './live/live-list.js';
import type { ListLimits } from './read-list.js';
import type { Visible } from './visible.js';

/** Something that can be listed. */
export interface List {
  /** The name in `$metadata`, by which access is decided too. */
  readonly name: string;
  /** The path above its `$metadata`: `/api/control-plane/v1`. */
  readonly root: string;
  readonly model: EntityModel;
  /**
   * A deleted row is left out unless the caller asks for it. With `kept`, it always belongs to the list, as where it is
   * expanded.
   */
  readonly deleted?: 'kept';
  /** The subject of the answer, where that is not a list of `$metadata`: `Ship('a')/boats`. */
  readonly about?: string;
}

/** The member that says where a list comes from, if not from the store. */
const SOURCE = '@reeve.source';

/** Options of a list that OData does not have, or of which only one value is known. */
const OWN = { format: '$format', deleted: 'deleted' } as const;

/**
 * Answers with the page that the query options ask for. S6.2
 * @throws ODataError; ProblemError 503, 504
 */
export async function answerList(
  context: ServiceContext,
  parts: ServiceParts,
  store: ServiceStore,
  visible: Visible,
  { name, root, model, deleted, about = name }: List,
): Promise<Response> {
  const url = new URL(context.req.url);
  const parsed = parseQuery(url.searchParams, withoutDeleted(model, url.searchParams, deleted), Object.values(OWN));
  checkFormat(url.searchParams);
  const query = await withSentIds(parts, context.var.guard, parsed);
  const { settings } = parts;
  const [usual, most] = settings.pageRows;
  const preferred = preferredRows(context.req.header('prefer'), most);
  const limits = limitsOf(query, preferred ?? usual, settings.expandedRows);
  const { items, count, nextSkipToken, live } = await listOrLive(context, parts, query, limits, () =>
    store.list(query, visible, limits),
  );
  context.header('OData-Version', '4.01');
  if (preferred !== undefined) context.header('Preference-Applied', `maxpagesize=${limits.maxRows}`);
  const answer = {
    '@odata.context': `${root}/$metadata#${about}`,
    ...(count !== undefined && { '@odata.count': count }),
    ...(live && { [SOURCE]: 'temporal' }),
    value: withExecutions(parts, query, items),
    ...(nextSkipToken !== undefined && { '@odata.nextLink': nextLink(url, nextSkipToken) }),
  };
  return context.json(answer, 200);
}

/** The option that asks which rows, and its name without the dollar sign, which OData 4.01 allows. */
const WHICH = ['$filter', 'filter'];

/**
 * Answers with the number of rows, as text: `/api/operations/$count`. S6.2
 * @throws ODataError; ProblemError 503, 504
 */
export async function answerCount(
  context: ServiceContext,
  parts: ServiceParts,
  store: ServiceStore,
  visible: Visible,
  { model, deleted }: List,
): Promise<Response> {
  const { searchParams } = new URL(context.req.url);
  for (const option of searchParams.keys()) {
    if (option === OWN.deleted || WHICH.includes(option)) continue;
    throw new ODataError('unsupported', option, 1, '/$count takes only $filter and deleted');
  }
  const parsed = parseQuery(searchParams, withoutDeleted(model, searchParams, deleted), [OWN.deleted]);
  const query = await withSentIds(parts, context.var.guard, parsed);
  const { count } = await store.list({ ...query, count: true, top: 0 }, visible, { maxRows: 1, maxExpanded: 0 });
  context.header('OData-Version', '4.01');
  return context.text(String(count), 200);
}

/** Leaves deleted entities out, unless the caller asks for them: `deleted=true`. */
function withoutDeleted(model: EntityModel, options: URLSearchParams, deleted?: 'kept'): EntityModel {
  if (deleted || !Object.hasOwn(model.properties, 'deleted')) {
    if (options.has(OWN.deleted)) throw unknownValue(OWN.deleted, `has no meaning for ${model.name}`);
    return model;
  }
  const value = options.get(OWN.deleted) ?? 'false';
  if (value !== 'true' && value !== 'false') throw unknownValue(OWN.deleted, 'is true or false');
  return value === 'true' ? model : { ...model, only: { ...model.only, deleted: false } };
}

/** @throws ODataError for another format than JSON */
export function checkFormat(options: URLSearchParams): void {
  const format = options.get(OWN.format) ?? 'json';
  if (format !== 'json' && !format.startsWith('application/json')) throw unknownValue(OWN.format, 'can be json only');
}

function unknownValue(option: string, problem: string): ODataError {
  return new ODataError('unsupported', option, 1, `it ${problem}`);
}

/** How many rows the caller prefers on a page, in OData's words: `Prefer: maxpagesize=50`. */
function preferredRows(prefer: string | undefined, most: number): number | undefined {
  const [, rows] = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})/i.exec(prefer ?? '') ?? [];
  return rows === undefined || Number(rows) === 0 ? undefined : Math.min(Number(rows), most);
}

/** Expansions within each other multiply the rows, so the deeper they go, the fewer rows a page has. */
function limitsOf(query: Query, rows: number, maxExpanded: number): ListLimits {
  return { maxRows: Math.max(1, Math.floor(rows / 4 ** depthOf(query))), maxExpanded };
}

function depthOf({ expand }: Query): number {
  return Math.max(0, ...expand.map(({ query }) => 1 + depthOf(query)));
}

/** The same request, from the end of this page on. */
function nextLink({ pathname, searchParams }: URL, token: string): string {
  const options = [...searchParams].filter(([name]) => !/^\$?skiptoken$/i.test(name));
  const pairs = [...options, ['$skiptoken', token] as const].map(
    ([name, value]) => `${encodeURIComponent(name).replaceAll('%24', '$')}=${encodeURIComponent(value)}`,
  );
  return `${pathname}?${pairs.join('&')}`;
}
