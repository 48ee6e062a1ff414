import type { ServiceContext } from '../context.js';
import { AUDIT } from '../guard.js';
import { allRows, type Rows } from '../odata/index.js';
import { visibleRows } from './visible-rows.js';

/**
 * Which rows somebody may see. Lists are read through one of these only, and it comes to be in one way only: by a decision on
 * who asks. What it leaves out no filter, count or expansion reaches. S6.5
 */
export class Visible {
  private constructor(readonly rows: Rows) {}

  /** @throws ProblemError 403 */
  static to(context: ServiceContext, list: string, dimensions: readonly string[]): Visible {
    const { guard } = context.var;
    guard.list(list);
    // The decision has been that they may see all of it; nothing leads from there to anything else.
    if (list === AUDIT) return new Visible(allRows);
    return new Visible(visibleRows(guard.readable, dimensions));
  }
}
