import { allRows, PageQuery, parseQuery, type EntityModel } from '../../service/odata/index.js';
import type { StoreViews } from '../../store/index.js';
import type { StoreSession } from '../store-session.js';
import { entityModels } from '../../service/lists/entity-models.js';
import { levelModels } from '../../service/lists/level-models.js';

/** A row of a view as JSON has it: times are texts. Dimensions are beside these columns. */
export type ListedRow<V extends keyof StoreViews> = {
  readonly [C in keyof StoreViews[V]]: Date extends StoreViews[V][C]
    ? string | Exclude<StoreViews[V][C], Date>
    : StoreViews[V][C];
};

export interface ListedPage<V extends keyof StoreViews> {
  readonly rows: readonly ListedRow<V>[];
  /** Begins the next page; none on the last one. */
  readonly next?: string;
}

export interface ListQuery {
  /** Of entities: those of one type, with all that it declares. */
  readonly type?: string;
  /** Of the command's own options, as OData. */
  readonly conditions: readonly string[];
  /** As the user has written it. */
  readonly where?: string;
  /** As OData: `workflow_start_time desc`. */
  readonly order: string;
  readonly top: number;
  readonly skipToken?: string;
}

/** One page of a view. @throws ODataError for what the user has written and cannot be followed */
export async function readPage<V extends keyof StoreViews>(
  session: StoreSession,
  view: V,
  { type, conditions, where, order, top, skipToken }: ListQuery,
): Promise<ListedPage<V>> {
  const model = modelOf(session, view, type);
  // By itself first: a mistake has its place in what the user has written.
  if (where !== undefined) parseQuery({ filter: where }, model);
  const all = [...conditions, ...(where === undefined ? [] : [`(${where})`])];
  const query = parseQuery(
    {
      ...(all.length > 0 && { filter: all.join(' and ') }),
      orderby: order,
      ...(skipToken !== undefined && { skiptoken: skipToken }),
    },
    model,
  );
  const page = new PageQuery(query, { maxRows: top, maxExpanded: 0, rows: allRows });
  const found = await page.select().execute(session.reader);
  const { items, nextSkipToken } = page.page(found.rows);
  const columns = Object.keys(model.properties);
  // In the order of the view, for people who read JSON; the model has made them of its columns.
  const rows = items.map((item) => Object.fromEntries(columns.map((column) => [column, item[column]])) as ListedRow<V>);
  return { rows, ...(nextSkipToken !== undefined && { next: nextSkipToken }) };
}

/** What can be asked of a view: the same as over HTTP. S6.2, S6.3 */
function modelOf(
  { entities, dimensions }: StoreSession,
  view: keyof StoreViews,
  type: string | undefined,
): EntityModel {
  const levels = levelModels(dimensions);
  const model =
    type === undefined ? levels[view] : entityModels([{ name: 'project', version: 1, entities }], levels).get(type);
  if (!model) throw new Error(`there is no entity type ${type}`);
  return model;
}
