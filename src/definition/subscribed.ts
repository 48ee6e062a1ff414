import type { AnyEntity, SubscriptionShape } from './entity.js';
import { asList } from './names.js';

type Declared = Pick<AnyEntity, 'events'>;

/** The states in which a subscription may fire: those that it names, otherwise all in which its event is valid. S4.3 */
export function subscribedStates({ events }: Declared, subscription: SubscriptionShape): readonly string[] {
  const { in: named, raise } = subscription;
  const valid = Object.hasOwn(events, raise) ? asList(events[raise]!.in) : [];
  return named === undefined ? valid : asList(named).filter((state) => valid.includes(state));
}

/** Tells whether a subscription may fire in a state. */
export function isSubscribedIn(entity: Declared, subscription: SubscriptionShape, state: string): boolean {
  return subscribedStates(entity, subscription).includes(state);
}
