import { EVENT_BYTES } from '../../definition/limits.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { sizeProblem } from '../../protocol/size-problem.js';

/** All that an event brings. */
type Brought = Pick<RaiseRequest, 'event' | 'params' | 'construct'>;

/** Only what has been measured: no event changes. */
const fitting = new WeakSet<Brought>();

/** Why an event is too large to be raised on an entity; nothing where it is not. S1.5a */
export function eventTooLarge(on: EntityRef, request: Brought): Rejection | undefined {
  if (fitting.has(request)) return undefined;
  const { event, params, construct } = request;
  const problem = sizeProblem([params, construct], EVENT_BYTES);
  if (problem === undefined) {
    fitting.add(request);
    return undefined;
  }
  const message = `The parameters of '${event}' have ${problem}. Keep large data outside of entities, and pass its address.`;
  return { code: 'event_too_large', message, entity: entityId(on), event };
}
