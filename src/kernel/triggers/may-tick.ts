import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { Contents } from '../rules/contents.js';
import { unmetGuard } from '../rules/event-guard.js';

/** Tells whether the event of a timer is valid in a state, with these contents. */
export function mayTick(
  entity: AnyEntity,
  event: string,
  state: string,
  contents: Pick<Contents, 'properties' | 'links'>,
): boolean {
  return asList(entity.events[event]?.in).includes(state) && !unmetGuard(entity, contents, event);
}

/** Tells whether contents decide about ticks. */
export function hasGuardedTimer(entity: AnyEntity): boolean {
  return Object.values(entity.timers).some(({ raise }) => entity.events[raise]?.when);
}
