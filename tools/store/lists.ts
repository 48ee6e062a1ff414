import { sql, type SqlBool } from 'kysely';
import type { StoreReader, StoreViews } from '../../src/store/index.js';
import type { Random } from '../../src/simulation/random.js';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A list as a person asks for it: a filter and an order, page by page. */
export interface List {
  readonly name: string;
  /** The page after a row, or the first page. The filter is the same for the same random numbers. */
  page(reader: StoreReader, random: Random, after?: Rows[number]): Promise<Rows>;
}

const PAGE = 50;
const DAY_MS = 86_400_000;

/** A day of the time that `store:fill` fills. */
const day = (random: Random) => new Date(Date.UTC(2026, 5, 2 + random.below(27)));
const next = (date: Date) => new Date(date.getTime() + DAY_MS);
const cluster = (random: Random) => `cluster-${random.below(25)}`;
const server = (random: Random) => `server-${random.below(25_000)}`;
/** A dimension is a column that the type of the views does not know. */
const dimension = (name: string, value: string) => sql<SqlBool>`${sql.ref(name)} = ${value}`;

export const LISTS: readonly List[] = [
  operations('latest', (query) => query),
  operations('failed', (query) => query.where('outcome', '=', 'failed')),
  operations('running', (query) => query.where('outcome', 'is', null)),
  operations('by dimension with many', (query, random) => query.where(dimension('data_cluster_id', cluster(random)))),
  operations('by dimension with few', (query, random) => query.where(dimension('logical_server_id', server(random)))),
  operations('failed, of a dimension, of a day', (query, random) =>
    query
      .where('outcome', '=', 'failed')
      .where(dimension('data_cluster_id', cluster(random)))
      .where('workflow_start_time', '>=', day(random)),
  ),
  operations(
    'of a day',
    (query, random) => {
      const from = day(random);
      return query.where('workflow_start_time', '>=', from).where('workflow_start_time', '<', next(from));
    },
    ['workflow_start_time', 'operation_id'],
  ),
  events('latest', (query) => query),
  events('of a type and event', (query) =>
    query.where('state_machine_type', '=', 'SqlApplication').where('event', '=', 'scale'),
  ),
  events('in an error state', (query) => query.where('error_end_state', '=', true)),
  events('by end state', (query) => query.where('end_state', '=', 'Failed')),
  events('of an entity', (query, random) => query.where('keys', '=', server(random))),
  events('by dimension with many', (query, random) => query.where(dimension('data_cluster_id', cluster(random)))),
  events(
    'of a day',
    (query, random) => {
      const from = day(random);
      return query.where('start_time', '>=', from).where('start_time', '<', next(from));
    },
    ['start_time', 'event_id'],
  ),
  transitions('latest', (query) => query),
  transitions('by end state', (query) => query.where('end_state', '=', 'Failed')),
  transitions('by action', (query) => query.where('action_name', '=', 'step4')),
  transitions('with any error', (query) => query.where('error_id', 'is not', null)),
  transitions('of a day', (query, random) => {
    const from = day(random);
    return query.where('transition_time', '>=', from).where('transition_time', '<', next(from));
  }),
  entities('all', (query) => query),
  entities('by state', (query) => query.where('state', '=', 'Failed')),
  entities('of a type by state', (query) => query.where('type', '=', 'DnsRecord').where('state', '=', 'Failed')),
  entities('by dimension', (query, random) => query.where(dimension('data_cluster_id', cluster(random)))),
  entities('by property', (query, random) =>
    query.where(sql<SqlBool>`properties @> ${JSON.stringify({ region: `region-${random.below(12)}` })}::jsonb`),
  ),
  entities('by two properties', (query, random) =>
    query.where(sql<SqlBool>`properties @> ${JSON.stringify({ tier: 'basic', size: 1 + random.below(64) })}::jsonb`),
  ),
  entities('by range of a property', (query) => query.where(sql<SqlBool>`(properties -> 'size') > '60'::jsonb`)),
];

type Operations = ReturnType<typeof operationsQuery>;
type Events = ReturnType<typeof eventsQuery>;
type Transitions = ReturnType<typeof transitionsQuery>;
type Entities = ReturnType<typeof entitiesQuery>;

const operationsQuery = (reader: StoreReader) => reader.selectFrom('operations').selectAll();
const eventsQuery = (reader: StoreReader) => reader.selectFrom('state_machine_events').selectAll();
const transitionsQuery = (reader: StoreReader) => reader.selectFrom('state_machine_transitions').selectAll();
const entitiesQuery = (reader: StoreReader) => reader.selectFrom('entities').selectAll();

function operations(
  name: string,
  filter: (query: Operations, random: Random) => Operations,
  order: readonly (keyof StoreViews['operations'])[] = ['operation_id'],
): List {
  return {
    name: `operations ${name}`,
    page(reader, random, after) {
      const filtered = filter(operationsQuery(reader), random).where(isBefore(order, after));
      return order.reduce((query, column) => query.orderBy(column, 'desc'), filtered.limit(PAGE)).execute();
    },
  };
}

function events(
  name: string,
  filter: (query: Events, random: Random) => Events,
  order: readonly (keyof StoreViews['state_machine_events'])[] = ['event_id'],
): List {
  return {
    name: `events ${name}`,
    page(reader, random, after) {
      const filtered = filter(eventsQuery(reader), random).where(isBefore(order, after));
      return order.reduce((query, column) => query.orderBy(column, 'desc'), filtered.limit(PAGE)).execute();
    },
  };
}

function transitions(name: string, filter: (query: Transitions, random: Random) => Transitions): List {
  const order = ['transition_time', 'event_id', 'transition_ordinal'] as const;
  return {
    name: `transitions ${name}`,
    page(reader, random, after) {
      const filtered = filter(transitionsQuery(reader), random).where(isBefore(order, after));
      return order.reduce((query, column) => query.orderBy(column, 'desc'), filtered.limit(PAGE)).execute();
    },
  };
}

/** The condition for the rows after a row in a descending order. An index can use its first part, whatever the joins are. */
function isBefore(order: readonly string[], after: Rows[number] | undefined) {
  const [first = ''] = order;
  if (!after) return sql<SqlBool>`true`;
  const columns = sql.join(order.map((column) => sql.ref(column)));
  const values = sql.join(order.map((column) => after[column]));
  return sql<SqlBool>`${sql.ref(first)} <= ${after[first]} and (${columns}) < (${values})`;
}

function entities(name: string, filter: (query: Entities, random: Random) => Entities): List {
  return {
    name: `entities ${name}`,
    page(reader, random, after) {
      const query = filter(entitiesQuery(reader), random).orderBy('type').orderBy('key').limit(PAGE);
      if (!after) return query.execute();
      return query.where(sql<SqlBool>`(type, key) > (${after['type']}, ${after['key']})`).execute();
    },
  };
}
