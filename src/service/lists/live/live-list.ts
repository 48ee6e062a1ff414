import type { ServiceContext } from '../../context.js';
import type { ServiceParts } from '../../parts.js';
import type { ReeveClient } from '../../../client/client.js';
import type { LivePage } from '../../../client/live/live-reader.js';
import { UNKNOWN_PAGE, type PageRequest } from '../../../client/live/visibility.js';
import { Rejected } from '../../../protocol/errors.js';
import { deploymentWorkflowId, entityId, operationWorkflowId } from '../../../protocol/names.js';
import { ODataError, type Item, type Query } from '../../odata/index.js';
import { ProblemError } from '../../problem.js';
import type { Readable } from '../../readable.js';
import { keyPartValues } from '../key-part-names.js';
import type { Listed as ListedPage, ListLimits } from '../read-list.js';
import { EXECUTION_MEMBER } from '../row-members.js';
import { compare, liveCondition, OnlyTheStoreKnows, type Listed, type LiveCondition } from './live-condition.js';
import { readableOperations } from './readable-operations.js';
import { orUnavailable, whileUnavailable } from './while-unavailable.js';

/** The columns of each row that Temporal knows. Entities have a tenant only where their type has tenants. */
const COLUMNS = {
  operations: ['request_id', 'name', 'workflow_start_time', 'workflow_end_time', 'outcome', 'tenant'],
  deployments: ['name', 'component', 'phase', 'start_time', 'end_time', 'end_type', 'tenant'],
  entities: ['type', 'key', 'life', 'state', 'health', 'settled', 'deleted', 'operation', 'tenant'],
} as const;
/** The beginning of the tokens of these pages. A list that Temporal has begun goes on here, even when the store is back. */
const TOKEN = 'temporal.';

const INSTEAD =
  'Temporal can list operations that run (outcome eq null), deployments that run (end_type eq null) and entities, by the ' +
  'properties that it has';

/**
 * A page of a list from the store. While the store is unavailable, the page comes from Temporal: it lists operations and
 * deployments that run and entities that live, by what Temporal knows of them. S5.2
 * @throws ProblemError 503, which says what Temporal does not know; ODataError
 */
export async function listOrLive(
  context: ServiceContext,
  parts: ServiceParts,
  query: Query,
  limits: ListLimits,
  list: () => Promise<ListedPage>,
): Promise<ListedPage & { readonly live: boolean }> {
  const away = query.skipToken?.startsWith(TOKEN) ? goesOnThere() : await list().catch(orUnavailable);
  if (!(away instanceof ProblemError)) return { ...away, live: false };
  return whileUnavailable(away, INSTEAD, async () => {
    const page = await listLive(context, parts, query, limits).catch((thrown: unknown) => {
      throw thrown instanceof Rejected && thrown.code === UNKNOWN_PAGE ? badToken() : thrown;
    });
    return { ...page, live: true };
  });
}

/** The problem of a list that Temporal has begun, since the store cannot go on with it. */
function goesOnThere(): ProblemError {
  return new ProblemError('store_unavailable', 'The page before this one did not come from the store.');
}

/** A row with the workflow that tells it. */
interface Found {
  readonly row: object;
  readonly workflowId: string;
}

async function listLive(
  context: ServiceContext,
  { reeve, modules }: ServiceParts,
  query: Query,
  { maxRows }: ListLimits,
): Promise<ListedPage> {
  const listed = listedIn(query);
  const columns = columnsOf(listed, query);
  const { readable } = context.var.guard;
  const { token, left } = placeOf(query);
  const rows = Math.min(maxRows, left ?? maxRows);
  const page = { rows: Math.max(1, rows), token };
  const where = conditionsOf(listed, query, readable);
  let found: LivePage<Found>;
  if (listed.of === 'operations') {
    const operations = await reeve.live.operations(where, page);
    found = {
      ...operations,
      rows: readableOperations(operations.rows, readable).map((row) => ({
        row,
        workflowId: operationWorkflowId(row.request_id),
      })),
    };
  } else if (listed.of === 'deployments') {
    found = await liveDeployments(reeve.deployments, where, page, readable);
  } else {
    const entities = modules.flatMap((module) => module.entities);
    const living = await reeve.live.entities(readable.types, where, page);
    found = {
      ...living,
      rows: living.rows.flatMap((row) => {
        const entity = entities.find(({ name }) => name === row.type);
        if (entity?.states[row.state]?.ending === 'deleted') return [];
        return [{ row: { ...row, ...(entity && keyPartValues(entity, row.key)) }, workflowId: entityId(row) }];
      }),
    };
  }
  const { next } = found;
  const items = rows === 0 ? [] : found.rows.map((each) => pick(each, columns));
  const remain = left === undefined ? undefined : left - items.length;
  const ends = next === undefined || remain === 0;
  return { items, ...(!ends && { nextSkipToken: `${TOKEN}${remain ?? ''}.${next}` }) };
}

/** Of the deployments that run, those that somebody may see. S6.5 */
async function liveDeployments(
  deployments: ReeveClient['deployments'],
  where: readonly string[],
  page: PageRequest,
  { everything, components }: Readable,
): Promise<LivePage<Found>> {
  const { rows, next } = await deployments.list(page, where);
  const readable = rows.filter(({ component = '' }) => everything || components.includes(component));
  return {
    rows: readable.map(({ name, startedAt, component = null, phase = null, tenant = null }) => ({
      row: { name, component, phase, start_time: startedAt, end_time: null, end_type: null, tenant },
      workflowId: deploymentWorkflowId(name),
    })),
    ...(next !== undefined && { next }),
  };
}

function listedIn({ model }: Query): Listed {
  if (model.table === 'operations' || model.table === 'deployments') return { of: model.table };
  if (model.table !== 'entities') throw new OnlyTheStoreKnows(`the history (${model.name})`);
  const type = model.only?.['type'];
  return { of: 'entities', ...(typeof type === 'string' && { type }) };
}

function conditionsOf(listed: Listed, { model, filter }: Query, { tenant }: Readable): readonly string[] {
  const conditions: LiveCondition[] = Object.entries(model.only ?? {}).map(([property, value]) => {
    if (typeof value === 'string' || typeof value === 'boolean') return compare(listed, property, 'eq', value);
    throw new OnlyTheStoreKnows(property);
  });
  if (filter) conditions.push(liveCondition(listed, filter));
  if (tenant !== undefined) conditions.push(compare(listed, 'tenant', 'eq', tenant));
  if (listed.of !== 'entities' && !conditions.some(({ runs }) => runs)) {
    throw new OnlyTheStoreKnows(`${listed.of} that have ended`);
  }
  if (listed.of === 'entities' && model.only?.['deleted'] !== false) {
    throw new OnlyTheStoreKnows('entities that are deleted');
  }
  return conditions.map(({ query }) => query);
}

/** The columns that grow with each start. */
const LATEST_FIRST: Readonly<Record<Listed['of'], readonly string[]>> = {
  operations: ['workflow_start_time', 'operation_id'],
  deployments: ['start_time'],
  entities: [],
};

/** The columns that the query asks for. Temporal's order is always the latest run first, and a page's is the latest start first. */
function columnsOf({ of }: Listed, { model, select, orderBy, skip, count, expand }: Query): readonly string[] {
  const latestFirst = LATEST_FIRST[of];
  const [order, ...more] = orderBy;
  const isLatestFirst = order?.direction === 'desc' && latestFirst.includes(order.text) && more.length === 0;
  if (order && !isLatestFirst) throw new OnlyTheStoreKnows('that order');
  if (skip) throw new OnlyTheStoreKnows('which rows $skip leaves out');
  if (count) throw new OnlyTheStoreKnows('how many there are');
  if (expand.length > 0) throw new OnlyTheStoreKnows('what $expand brings along');
  const columns: readonly string[] = [...COLUMNS[of], ...(model.keyParts?.names ?? [])];
  const known = columns.filter((column) => Object.hasOwn(model.properties, column));
  if (!select) return known;
  return select.map((path) => {
    const column = known.find((each) => each === path.join('/'));
    if (column === undefined) throw new OnlyTheStoreKnows(path.join('/'));
    return column;
  });
}

/** The place where the page begins, and how many rows of `$top` are left. @throws ODataError */
function placeOf({ skipToken, top }: Query): { readonly token?: string; readonly left?: number } {
  if (skipToken === undefined) return top === undefined ? {} : { left: top };
  const [, left, token] = /^temporal\.(\d{0,9})\.([\w.-]+)$/.exec(skipToken) ?? [];
  if (token === undefined) throw badToken();
  return { token, ...(left && { left: Number(left) }) };
}

function badToken(): ODataError {
  return new ODataError('syntax', '$skiptoken', 1, 'no page begins with it; list again without it');
}

function pick({ row, workflowId }: Found, columns: readonly string[]): Item {
  const values = Object.entries(row as Item).filter(([column]) => columns.includes(column));
  return {
    ...Object.fromEntries(
      values.map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]),
    ),
    [EXECUTION_MEMBER]: workflowId,
  };
}
