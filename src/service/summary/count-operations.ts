/*
 * Counts operations by the rows of the store. A4
 *
 * count-operations.1. An operation belongs to the period when it was under way at some time in it: it has ended in the period, or it
 *     runs or waits at its end. So nothing is counted twice in periods that follow each other, but what goes on.
 * count-operations.2. It waits when events of it have begun and none is under way. An action that waits, for another entity or for an
 *     answer from outside, is an event that is under way.
 * count-operations.3. Events and attempts are counted of visible rows alone, as are operations. S6.5
 */
import { sql } from 'kysely';
import { OPERATION_LEVEL, REPEATED_TRANSITIONS, type StoreReader } from '../../store/index.js';
import { filteredRows, type EntityModel, type Rows, type Sql } from '../odata/index.js';
import { readStore } from '../lists/store-problem.js';
import type { Visible } from '../lists/visible.js';
import { NAME, type SummaryQuestion } from './question.js';
import type { OperationCounts, OperationSummary } from './summary-schema.js';

type Row = OperationCounts & { readonly is_all: boolean } & Readonly<Record<`group_${number}`, string | null>>;

const REPEATED: EntityModel = {
  ...{ name: REPEATED_TRANSITIONS, table: REPEATED_TRANSITIONS, key: ['request_id'] },
  ...{ properties: {}, navigation: [] },
};
/** Advice for a summary that takes too long. */
const TOO_MUCH = 'Ask for a shorter period, or filter by a name or a dimension.';

/** @throws ProblemError 503, 504 */
export async function countOperations(
  reader: StoreReader,
  question: SummaryQuestion,
  visible: Visible,
): Promise<OperationSummary> {
  const { from, until, by, top } = question;
  const { rows } = await readStore(TOO_MUCH, () => statement(question, visible).execute(reader));
  const told = rows.map(({ is_all, ...row }) => {
    const values = by.map((name, index) => [name, row[`group_${index}`] ?? null] as const);
    return { is_all, group: Object.fromEntries(values), counts: countsOf(row) };
  });
  const all = told.find(({ is_all }) => is_all)!.counts;
  const groups = told.filter(({ is_all }) => !is_all).map(({ group, counts }) => ({ group, ...counts }));
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    by: [...by],
    all,
    groups: groups.slice(0, top),
    ...(groups.length > top && { more: true }),
  };
}

/** The sum of all comes first, and then one group more than was asked for. */
function statement(question: SummaryQuestion, { rows }: Visible) {
  const { from, by, top } = question;
  const columns = by.map((_, index) => sql.id(`group_${index}`));
  const [first] = columns;
  const isAll = first ? sql`grouping(${first}) = 1` : sql`true`;
  const sets = first ? sql`grouping sets ((), (${sql.join(columns)}))` : sql`()`;
  const selected = [sql`${isAll} as is_all`, ...columns, ...sums(from)];
  return sql<Row>`
    with counted as materialized (${counted(question, rows)}),
    repeated as (
      select r.request_id, count(*) as attempts from ${rows(REPEATED)} as r
      where r.request_id in (select request_id from counted)
      group by r.request_id
    )
    select ${sql.join(selected)}
    from counted left join repeated on repeated.request_id = counted.request_id
    group by ${sets}
    order by is_all desc, total desc${sql.join(
      columns.map((column) => sql`, ${column}`),
      sql``,
    )}
    limit ${top + 2}`;
}

/** The operations of the period, each with its groups and whether it waits. count-operations.1, count-operations.2 */
function counted({ query, models, from, until, by }: SummaryQuestion, rows: Rows): Sql {
  const groups = by.map((name, index) => sql`, ${groupOf(name)} as ${sql.id(`group_${index}`)}`);
  // Looked up for each operation that had not ended, since these are few.
  const rest = sql`
    select bool_and(coalesce(e.end_time < ${until}, false)) as rests
    from ${rows(models.state_machine_events)} as e
    where (o.workflow_end_time is null or o.workflow_end_time >= ${until})
      and e.request_id = o.request_id and e.start_time < ${until}`;
  return sql`
    select o.request_id, o.outcome, o.restart_count as resumptions, o.workflow_start_time as started_at,
      coalesce(o.workflow_end_time < ${until}, false) as finished, coalesce(own_events.rests, false) as waits,
      extract(epoch from o.workflow_end_time - o.workflow_start_time)::float8 * 1000 as duration${sql.join(groups, sql``)}
    from ${filteredRows(query, rows)} as o cross join lateral (${rest}) as own_events
    where o.workflow_start_time < ${until} and (o.workflow_end_time is null or o.workflow_end_time >= ${from})`;
}

function groupOf(name: string): Sql {
  return name === NAME ? sql`${sql.raw(OPERATION_LEVEL.title)}` : sql`${sql.id('o', name)}`;
}

function sums(from: Date): readonly Sql[] {
  const ended = (outcome: string) => sql`count(*) filter (where finished and outcome = ${outcome})`;
  const named: Readonly<Record<keyof OperationCounts, Sql>> = {
    total: sql`count(*)`,
    started: sql`count(*) filter (where started_at >= ${from})`,
    running: sql`count(*) filter (where not finished and not waits)`,
    waiting: sql`count(*) filter (where not finished and waits)`,
    hung: sql`count(*) filter (where not finished and outcome = 'hung')`,
    finished: sql`count(*) filter (where finished)`,
    succeeded: ended('success'),
    failed: ended('failed'),
    canceled: ended('canceled'),
    rescheduled: sql`count(*) filter (where attempts > 0 or resumptions > 0)`,
    attempts: sql`coalesce(sum(attempts), 0)::bigint`,
    resumptions: sql`coalesce(sum(resumptions), 0)::bigint`,
    mean_ms: sql`avg(duration) filter (where finished)`,
    p95_ms: sql`percentile_cont(0.95) within group (order by duration) filter (where finished)`,
  };
  return Object.entries(named).map(([name, sum]) => sql`${sum} as ${sql.id(name)}`);
}

/** The counts of a row, without its groups. */
function countsOf(row: Readonly<Record<string, unknown>>): OperationCounts {
  const entries = Object.entries(row).filter(([name]) => !name.startsWith('group_'));
  // The statement selects them by these names.
  return Object.fromEntries(entries) as OperationCounts;
}
