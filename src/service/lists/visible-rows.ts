import { sql } from 'kysely';
import { TENANT } from '../../definition/tenant.js';
import { ALL_VIEWS, OWNED_TRANSITIONS, REPEATED_TRANSITIONS, summaryOf, type StoreViews } from '../../store/index.js';
import { allRows, conjunction, rowsWhere, type Rows, type Sql } from '../odata/index.js';
import type { Readable } from '../readable.js';

/*
 * The rows of each view of the store that somebody may see. S6.5
 *
 * visible-rows.1. Where the rows of a view do not say whose they are or of which type, what they belong to says it.
 * visible-rows.2. A view that is not named here has no rows for those who may not see everything.
 * visible-rows.3. Sums are made of visible rows alone, so that nobody can find out others by subtracting.
 */

/** Which rows of a view are visible. */
interface Visibility {
  readonly from?: string;
  /** The condition on a row, by the name of the row in the statement. */
  readonly where: (row: string) => Sql;
}

export function visibleRows(readable: Readable, dimensions: readonly string[]): Rows {
  if (readable.everything) return allRows;
  const { types, components: deployable, tenant } = readable;
  const isOfType = (type: Sql) => sql`${type} = any(${types}::text[])`;
  const isOfTenant = (row: string) => (tenant === undefined ? [] : [sql`${sql.id(row, TENANT)} = ${tenant}`]);
  const isTheirs = (row: string, type: Sql) => conjunction([isOfType(type), ...isOfTenant(row)]);

  const operations: Visibility = { where: (row) => isTheirs(row, rootType(row)) };
  const events: Visibility = { where: (row) => isTheirs(row, sql`${sql.id(row, 'state_machine_type')}`) };
  const transitions: Visibility = {
    from: OWNED_TRANSITIONS,
    // The condition lets PostgreSQL expect many rows: outer joins stay outer joins, and it cannot estimate the condition.
    where: (row) =>
      conjunction([sql`coalesce(${isOfType(sql`${sql.id(row, 'state_machine_type')}`)}, false)`, ...isOfTenant(row)]),
  };
  const exceptions: Visibility = {
    where: (row) =>
      sql`${sql.id(row, 'event_id')} in (select v.event_id from state_machine_events v where ${events.where('v')})`,
  };
  // One row stands for the same error of many. Each of those who had it may see it.
  const errors: Visibility = {
    where: (row) =>
      sql`(${hasError('operations', operations, 'error_id', row)} or ${hasError('state_machine_events', events, 'error', row)}
        or ${hasError('state_machine_transitions', transitions, 'error_id', row)})`,
  };
  const ofDeployments: Visibility = {
    where: (row) => conjunction([sql`${sql.id(row, 'component')} = any(${deployable}::text[])`, ...isOfTenant(row)]),
  };
  const VISIBLE: {
    readonly [V in keyof StoreViews | typeof OWNED_TRANSITIONS | typeof REPEATED_TRANSITIONS]?: Visibility;
  } = {
    operations,
    state_machine_events: events,
    state_machine_transitions: transitions,
    [OWNED_TRANSITIONS]: transitions,
    [REPEATED_TRANSITIONS]: { where: transitions.where },
    workflow_exceptions: exceptions,
    workflow_errors: errors,
    entities: { where: (row) => isTheirs(row, sql`${sql.id(row, 'type')}`) },
    calls: { where: (row) => isTheirs(row, sql`${sql.id(row, 'entity_type')}`) },
    pending_callbacks: { where: (row) => isTheirs(row, sql`${sql.id(row, 'entity_type')}`) },
    deployments: ofDeployments,
    components: ofDeployments,
    rejected_events: { where: (row) => isTheirs(row, sql`${sql.id(row, 'entity_type')}`) },
  };

  return (model) => {
    const view = ALL_VIEWS.find(({ name }) => name === model.table);
    if (!view || typeof view.from === 'string') {
      const { from = model.table, where } = visibilityOf(model.table);
      return rowsWhere(model, { from: sql`${sql.table(from)}`, where });
    }
    const { from = view.from.of, where } = visibilityOf(view.from.of);
    const parts = sql`(select * from ${sql.table(from)} as part where ${where('part')})`;
    const sums = sql.raw(summaryOf(view, view.from, 'visible', dimensions));
    return rowsWhere(model, { from: sql`(with visible as not materialized ${parts} ${sums})` });
  };

  function visibilityOf(view: string): Visibility {
    return Object.entries(VISIBLE).find(([name]) => name === view)?.[1] ?? { where: () => sql`false` };
  }
}

function hasError(view: string, { from = view, where }: Visibility, column: string, row: string): Sql {
  return sql`exists (select from ${sql.table(from)} v where ${sql.id('v', column)} = ${sql.id(row, 'error_id')} and ${where('v')})`;
}

/** The type of the entity on which an operation was opened. It is in the operation's name: `create LogicalServer/orders`. */
function rootType(row: string): Sql {
  return sql`split_part(split_part(${sql.id(row, 'name')}, ' ', 2), '/', 1)`;
}
