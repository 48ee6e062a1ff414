import { toMilliseconds } from '../duration.js';
import type { OneShotTimer } from '../timer.js';

/** Tells whether what time raises certainly comes no sooner than before. A time in a property can be any. S4.5 */
export function isNotSooner({ after: before }: OneShotTimer, { after }: OneShotTimer): boolean {
  const areFixed =
    before !== undefined && typeof before !== 'object' && after !== undefined && typeof after !== 'object';
  return areFixed && toMilliseconds(before) <= toMilliseconds(after);
}
