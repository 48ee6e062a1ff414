import { TABLES, VIEWS } from '../names.js';
import { maybe, type Columns } from './column.js';

/** A view of the tables. Readers see only views. S5.2 */
export interface View<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** The tables with their joins, or a summary of another view. */
  readonly from: string | Summary;
  /**
   * The columns that tell the rows apart, in an order that an index gives. Lists have this order by default, and it completes
   * every other order.
   */
  readonly key: readonly (keyof C & string)[];
  /** The column with the dimensions; each becomes a column of the view. */
  readonly dimensions?: string;
}

/** The summary that a view makes of the rows of another view: of all rows, or of those that somebody may see. */
export interface Summary {
  /** The other view. */
  readonly of: string;
  /** `rows` is a relation with the columns of the other view, those of the dimensions included. */
  readonly from: (rows: string, dimensions: readonly string[]) => string;
}

/** The view with a column for each dimension. @throws when a dimension has the name of another column */
export function withDimensions(view: View, dimensions: readonly string[]): View {
  if (view.dimensions === undefined) return view;
  const taken = dimensions.find((name) => name in view.columns);
  if (taken !== undefined) {
    throw new TypeError(
      `The dimension '${taken}' has the name of a column of the view ${VIEWS}.${view.name}. Choose another name.`,
    );
  }
  const columns = dimensions.map((name) => [name, maybe('text', dimensionValue(view.dimensions ?? '', name))] as const);
  return { ...view, columns: { ...view.columns, ...Object.fromEntries(columns) } };
}

/** SQL: the value of a dimension, written alike in the views and in their indexes. */
export function dimensionValue(column: string, name: string): string {
  return `(${column} ->> '${name.replaceAll("'", "''")}')`;
}

/** The statement that makes a view. A view runs with the rights of its owner, so readers need none on the tables. */
export function viewStatement(view: View, dimensions: readonly string[]): string {
  const { name, columns, from } = withDimensions(view, dimensions);
  const relation = typeof from === 'string' ? from : from.from(viewNamed(from.of), dimensions);
  return `create view ${VIEWS}.${name} as ${selection(columns, relation)}`;
}

/** The query for a summary of some rows. It counts as the view of the summary does for all rows. */
export function summaryOf({ columns }: View, { from }: Summary, rows: string, dimensions: readonly string[]): string {
  return selection(columns, from(rows, dimensions));
}

function selection(columns: Columns, relation: string): string {
  const list = Object.entries(columns).map(([column, { sql }]) => `${sql} as "${column}"`);
  return `select ${list.join(', ')} from ${relation}`;
}

/** The full name of a table. */
export const table = (name: string) => `${TABLES}.${name}`;

/** The full name of a view, for views that are made of it. */
export const viewNamed = (name: string) => `${VIEWS}.${name}`;
