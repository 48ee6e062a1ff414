import type { Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';

/** A deadline or a time-out. */
export interface OneShot {
  /** `deadline`, or `placed.timeout` for a subscription. */
  readonly name: string;
  readonly raise: string;
  readonly after: Duration;
}

/** The deadline of a state, and the time-outs of the subscriptions that wait in it. */
export function oneShots(entity: AnyEntity, state: string): readonly OneShot[] {
  const { deadline } = entity.states[state] ?? {};
  const timeouts = Object.entries(entity.subscriptions).flatMap(([name, subscription]) =>
    subscription.timeout && isSubscribedIn(entity, subscription, state)
      ? [{ name: `${name}.timeout`, ...subscription.timeout }]
      : [],
  );
  return [...(deadline ? [{ name: 'deadline', ...deadline }] : []), ...timeouts];
}
