import { EVENT_BYTES, MOST_PENDING, RAISED_BYTES } from '../../definition/limits.js';
import type { EntityRef } from '../../protocol/names.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import { sizeProblem } from '../../protocol/size-problem.js';
import type { Snapshot } from '../../protocol/snapshot.js';

interface Raised {
  readonly to: EntityRef;
  readonly request: Pick<RaiseRequest, 'event' | 'params' | 'construct'>;
}

/** How much too much an action raises: `events on 2,100 entities ...`; nothing where it does not. S1.5a */
export function raisesTooMany({ successors }: Snapshot, raises: readonly Raised[]): string | undefined {
  // Each event was measured before, so only many of them can be too much together.
  const isMuch = (raises.length + 1) * EVENT_BYTES > RAISED_BYTES;
  if (raises.length === 0 || (!isMuch && successors.length + raises.length <= MOST_PENDING)) return undefined;
  const pending = successors.filter(({ event }) => event === 'pending');
  const open = new Set([...pending, ...raises.map(({ to }) => to)].map(entityId)).size;
  if (open > MOST_PENDING) {
    return `events on so many entities that ${open.toLocaleString('en')} have yet to accept one (maximum ${MOST_PENDING.toLocaleString('en')})`;
  }
  const problem = sizeProblem(
    raises.map(({ request: { params, construct } }) => [params, construct]),
    RAISED_BYTES,
  );
  return problem && `events whose parameters have ${problem} together`;
}
