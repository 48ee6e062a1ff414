import { always, maybe } from './column.js';
import { viewNamed } from './view.js';

/**
 * All that the rollups of a level are made from, as SQL over the columns of its view. A level has one row for each operation, event
 * or transition.
 */
export interface Level<Name extends string> {
  /** `operation` */
  readonly name: Name;
  /** The view of the level. */
  readonly of: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly title: string;
  /** `success`, `failed`, `rejected`, `canceled`, `hung`, or null while it runs. */
  readonly result: string;
  readonly errorId: string;
  /** The alias of the relation that has the columns of the dimensions. */
  readonly dimensionsOf: string;
  /** The rows of the level, joined with what else is needed. */
  readonly from: (rows: string) => string;
}

const rate = (result: string) => `(count(*) filter (where result = '${result}'))::float8 / nullif(count(result), 0)`;
const percentile = (share: number) => `percentile_cont(${share}) within group (order by duration)`;

const GROUP = {
  /** The day in UTC. */
  day: always('day', 'day'),
  name: always('text', 'title'),
  // Null in the rows that count everything. Each operation, event or transition counts there, and once for each of its dimensions.
  dimension: maybe('text', 'dimension'),
  dimension_value: maybe('text', 'value'),
};

const COUNTS = {
  ...GROUP,
  total: always('integer', 'count(*)'),
  succeeded: always('integer', `count(*) filter (where result = 'success')`),
  failed: always('integer', `count(*) filter (where result = 'failed')`),
  // Only events can be rejected.
  rejected: always('integer', `count(*) filter (where result = 'rejected')`),
  canceled: always('integer', `count(*) filter (where result = 'canceled')`),
  hung: always('integer', `count(*) filter (where result = 'hung')`),
  // Rates are shares of the rows that have a result.
  success_rate: maybe('number', rate('success')),
  failure_rate: maybe('number', rate('failed')),
  p50_ms: maybe('number', percentile(0.5)),
  p95_ms: maybe('number', percentile(0.95)),
  p99_ms: maybe('number', percentile(0.99)),
};

const CAUSES = {
  ...GROUP,
  error_kind: always('text', 'x.error_kind'),
  error_id: always('integer', 'x.error_id'),
  error_details: always('text', 'x.error_details'),
  total: always('integer', 'count(*)'),
  // The place 1 has the most frequent cause of the day, name and dimension.
  place: always('integer', 'rank() over (partition by day, title, dimension, value order by count(*) desc)'),
};

/** Counts, rates and durations by day, name and dimension. S5.5 */
export function rollup<N extends string>(level: Level<N>) {
  return {
    name: `${level.name}_rollup` as const,
    columns: COUNTS,
    from: {
      of: level.of,
      from: (rows: string, dimensions: readonly string[]) =>
        `${source(level, rows, dimensions)} group by day, title, dimension, value`,
    },
    key: Object.keys(GROUP) as (keyof typeof GROUP)[],
  } as const;
}

/** The errors that were not made good, by day, name and dimension, with their kind. S5.5 */
export function causes<N extends string>(level: Level<N>) {
  return {
    name: `${level.name}_causes` as const,
    columns: CAUSES,
    from: {
      of: level.of,
      from: (rows: string, dimensions: readonly string[]) =>
        `${source(level, rows, dimensions)} join ${viewNamed('workflow_errors')} x using (error_id)
        where result not in ('success', 'canceled')
        group by day, title, dimension, value, x.error_kind, x.error_id, x.error_details`,
    },
    key: [...(Object.keys(GROUP) as (keyof typeof GROUP)[]), 'error_id'],
  } as const;
}

/** A relation with each row once for the whole, and once for each of its dimensions. */
function source(level: Level<string>, rows: string, dimensions: readonly string[]): string {
  const { startedAt, endedAt, title, result, errorId, dimensionsOf, from } = level;
  const pairs = dimensions.map(
    (name) => `('${name.replaceAll("'", "''")}', ${dimensionsOf}."${name.replaceAll('"', '""')}")`,
  );
  return `(
      select (${startedAt} at time zone 'UTC')::date as day, ${title} as title, ${result} as result, ${errorId} as error_id,
        extract(epoch from ${endedAt} - ${startedAt})::float8 * 1000 as duration, group_of.dimension, group_of.value
      from ${from(rows)}
      cross join lateral (values ${['(null::text, null::text)', ...pairs].join(', ')}) as group_of(dimension, value)
      where group_of.dimension is null or group_of.value is not null
    ) level`;
}
