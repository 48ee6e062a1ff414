/*
 * Counts the transitions of a period by the rows of the store: what goes along each arrow of a state diagram.
 *
 * count-transitions.1. A transition belongs to the period in which it ended.
 * count-transitions.2. Only visible rows count. S6.5
 */
import { sql } from 'kysely';
import { OWNED_TRANSITIONS, type StoreReader } from '../../store/index.js';
import { readStore } from '../lists/store-problem.js';
import type { Visible } from '../lists/visible.js';
import type { EntityModel } from '../odata/index.js';
import type { Bucket, TransitionSummary } from './transition-summary-schema.js';

const TRANSITIONS: EntityModel = {
  ...{ name: OWNED_TRANSITIONS, table: OWNED_TRANSITIONS, key: ['transition_time', 'event_id', 'transition_ordinal'] },
  ...{ properties: {}, navigation: [] },
};
const REJECTED: EntityModel = {
  ...{ name: 'rejected_events', table: 'rejected_events', key: ['time', 'id'] },
  ...{ properties: {}, navigation: [] },
};
const TOO_MUCH = 'Ask for a shorter period.';

/** Which transitions are counted. */
export interface TransitionQuestion {
  readonly from: Date;
  readonly until: Date;
  /** Each minute or hour by itself; the whole period without it. */
  readonly by: Bucket | undefined;
}

/** @throws ProblemError 503, 504 */
export async function countTransitions(
  reader: StoreReader,
  { from, until, by }: TransitionQuestion,
  { rows }: Visible,
): Promise<TransitionSummary> {
  const begin = (time: string) => (by ? sql`date_trunc(${by}, ${sql.ref(time)})` : sql`${from}::timestamptz`);
  const arrows = sql<Row<TransitionSummary['transitions'][number]>>`
    select ${begin('t.transition_time')} as begin, t.state_machine_type as type, t.start_state, t.end_state,
      coalesce(t.action_name, '') as action, count(*) as total, count(*) filter (where t.outcome <> 'success') as failed
    from ${rows(TRANSITIONS)} as t
    where t.transition_time >= ${from} and t.transition_time < ${until} and t.state_machine_type is not null
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`;
  const states = sql<Row<TransitionSummary['states'][number]>>`
    select ${begin('t.transition_time')} as begin, t.state_machine_type as type, t.start_state as state, count(*) as left,
      percentile_cont(0.5) within group (order by ${STAYED}) as p50_ms,
      percentile_cont(0.95) within group (order by ${STAYED}) as p95_ms
    from ${rows(TRANSITIONS)} as t
    where t.transition_time >= ${from} and t.transition_time < ${until} and t.state_machine_type is not null
      and t.end_state <> t.start_state
    group by 1, 2, 3 order by 1, 2, 3`;
  const rejections = sql<Row<TransitionSummary['rejections'][number]>>`
    select ${begin('r.time')} as begin, r.entity_type as type, r.event, r.state, r.code, sum(r.times)::bigint as total
    from ${rows(REJECTED)} as r
    where r.time >= ${from} and r.time < ${until}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`;
  const [moved, left, refused] = await readStore(TOO_MUCH, () =>
    Promise.all([arrows.execute(reader), states.execute(reader), rejections.execute(reader)]),
  );
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    ...(by && { by }),
    transitions: moved.rows.map(told),
    states: left.rows.map(told),
    rejections: refused.rows.map(told),
  };
}

/** How long it was in the state that it left, in milliseconds. */
const STAYED = sql`extract(epoch from t.transition_time - t.start_state_entry_time)::float8 * 1000`;

type Row<T> = Omit<T, 'begin'> & { readonly begin: Date };

function told<T>({ begin, ...row }: T & { readonly begin: Date }): Omit<T, 'begin'> & { begin: string } {
  return { ...row, begin: begin.toISOString() };
}
