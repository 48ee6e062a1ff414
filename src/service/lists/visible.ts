import { AUDIT, type Guard } from '../guard.js';
import { allRows, type Rows } from '../odata/index.js';
import { visibleRows } from './visible-rows.js';

/**
 * Says which rows somebody may see. Lists are read only through one of these, and only a decision on who asks makes one. No
 * filter, count or expansion reaches what it leaves out. S6.5
 */
export class Visible {
  private constructor(readonly rows: Rows) {}

  /** All rows, for the service itself: never for a request. */
  static ofAll(): Visible {
    return new Visible(allRows);
  }

  /** @throws ProblemError 403 */
  static to(guard: Guard, list: string, dimensions: readonly string[]): Visible {
    guard.list(list);
    // The decision was that they may see all of it. Nothing leads from the audit trail to anything else.
    if (list === AUDIT) return new Visible(allRows);
    return new Visible(visibleRows(guard.readable, dimensions));
  }
}
