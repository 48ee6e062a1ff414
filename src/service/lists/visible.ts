import type { ServiceContext } from '../context.js';
import { allRows, type Rows } from '../odata/index.js';

/**
 * Which rows somebody may see. Lists are read through one of these only, and it comes to be in one way only: by a decision on
 * who asks. What it leaves out no filter, count or expansion reaches. S6.5
 */
export class Visible {
  private constructor(readonly rows: Rows) {}

  /** All rows, for those who belong to no tenant; nobody else may list anything yet. @throws ProblemError 403 */
  static to(context: ServiceContext, list: string): Visible {
    context.var.guard.list(list);
    return new Visible(allRows);
  }
}
