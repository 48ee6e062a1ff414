import { sql } from 'kysely';
import { TENANT } from '../../definition/tenant.js';
import { ALL_VIEWS, summaryOf, type StoreViews } from '../../store/index.js';
import { allRows, rowsWhere, type Rows, type Sql } from '../odata/index.js';
import type { Readable } from '../readable.js';

/*
 * The rows of each view of the store that somebody may see. S6.5
 *
 * V1. What a view does not tell of its rows (whose they are, of which type) is asked of the event or operation they are of.
 * V2. A view that is not named here has no rows for those who may not see everything.
 * V3. Sums are made of visible rows alone: there is none of which something else could be found by taking away.
 */

type View = keyof StoreViews;
/** Of a row that is called so in the statement. */
type Visibility = (row: string) => Sql;

export function visibleRows(readable: Readable, dimensions: readonly string[]): Rows {
  if (readable.everything) return allRows;
  const { types, tenant } = readable;
  const ofTenant = (row: string) => (tenant === undefined ? [] : [sql`${sql.id(row, TENANT)} = ${tenant}`]);
  const ofTypes = (type: Sql) => sql`${type} = any(${types}::text[])`;
  const all = (...conditions: readonly Sql[]) => sql`(${sql.join(conditions, sql` and `)})`;

  const isEvent: Visibility = (row) => all(ofTypes(sql`${sql.id(row, 'state_machine_type')}`), ...ofTenant(row));
  const isOperation: Visibility = (row) => all(ofTypes(rootType(row)), ...ofTenant(row));
  const ofEvent: Visibility = (row) =>
    sql`${sql.id(row, 'event_id')} in (select v.event_id from state_machine_events v where ${isEvent('v')})`;
  const hasError = (view: View, column: string, isVisible: Visibility, row: string) =>
    sql`exists (select from ${sql.table(view)} v where ${sql.id('v', column)} = ${sql.id(row, 'error_id')} and ${isVisible('v')})`;

  const VISIBLE: { readonly [V in View]?: Visibility } = {
    operations: isOperation,
    state_machine_events: isEvent,
    state_machine_transitions: ofEvent,
    workflow_exceptions: ofEvent,
    // One row is for the errors of many: it is theirs who had it, too.
    workflow_errors: (row) =>
      sql`(${hasError('operations', 'error_id', isOperation, row)}
        or ${hasError('state_machine_events', 'error', isEvent, row)}
        or ${hasError('state_machine_transitions', 'error_id', ofEvent, row)})`,
    entities: (row) => all(ofTypes(sql`${sql.id(row, 'type')}`), ...ofTenant(row)),
  };

  const rows: Rows = (model) => {
    const view = ALL_VIEWS.find(({ name }) => name === model.table);
    if (view && typeof view.from !== 'string') {
      const parts = sql`(select * from ${sql.table(view.from.of)} r where ${visible(view.from.of)('r')})`;
      const sums = sql.raw(summaryOf(view, view.from, 'visible', dimensions));
      return rowsWhere(model, { from: sql`(with visible as not materialized ${parts} ${sums})` });
    }
    return rowsWhere(model, { where: visible(model.table) });
  };
  return rows;

  function visible(view: string): Visibility {
    return Object.entries(VISIBLE).find(([name]) => name === view)?.[1] ?? (() => sql`false`);
  }
}

/** The type of the entity on which an operation was opened: its name is `create LogicalServer/orders`. */
function rootType(row: string): Sql {
  return sql`split_part(split_part(${sql.id(row, 'name')}, ' ', 2), '/', 1)`;
}
