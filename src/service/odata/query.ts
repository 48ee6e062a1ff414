import type { Expression } from './expression.js';
import type { EntityModel, Navigation } from './model.js';

export interface OrderItem {
  readonly expression: Expression;
  readonly direction: 'asc' | 'desc';
  /** The order as it was written, without the direction. It tells one order from another. */
  readonly text: string;
}

export interface ExpandItem {
  readonly navigation: Navigation;
  readonly query: Query;
  /** The options in parentheses, as they were written: `{ $top: '5' }`. */
  readonly options: Readonly<Record<string, string>>;
}

/** All that the query options of one request ask for. S6.2 */
export interface Query {
  readonly model: EntityModel;
  readonly filter?: Expression;
  /** The paths of properties. Without it, all properties are selected. */
  readonly select?: readonly (readonly string[])[];
  readonly orderBy: readonly OrderItem[];
  readonly top?: number;
  readonly skip?: number;
  /** The `nextSkipToken` of an earlier page. It is not verified yet. */
  readonly skipToken?: string;
  readonly count: boolean;
  readonly expand: readonly ExpandItem[];
}
