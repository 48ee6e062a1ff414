import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { TimeProperty } from '../../definition/timer.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { lengthOf, timeOf } from '../rules/property-times.js';

/** A deadline, a time-out or a limit over several states. */
export interface OneShot {
  /** `deadline`, `placed.timeout` for a subscription, or `limits.provisioning`. */
  readonly name: string;
  readonly raise: string;
  readonly after?: Duration | TimeProperty;
  readonly at?: TimeProperty;
}

/** The deadline of a state, the time-outs of the subscriptions that wait in it, and the limits that go on in it. */
export function oneShots(entity: AnyEntity, state: string): readonly OneShot[] {
  const { deadline } = entity.states[state] ?? {};
  const timeouts = Object.entries(entity.subscriptions).flatMap(([name, subscription]) =>
    subscription.timeout && isSubscribedIn(entity, subscription, state)
      ? [{ name: `${name}.timeout`, ...subscription.timeout }]
      : [],
  );
  const limits = limitsIn(entity, state).map(({ name, raise, after }) => ({ name, raise, after }));
  return [...(deadline ? [{ name: 'deadline', ...deadline }] : []), ...timeouts, ...limits];
}

/**
 * When the event is raised, in milliseconds since 1970. Nothing where the property that holds the time has no value, or where that time
 * has raised it already.
 */
export function dueAt(
  snapshot: Pick<Snapshot, 'properties' | 'enteredAt' | 'clocks'>,
  { name, after, at }: OneShot,
): number | undefined {
  const since = snapshot.clocks?.[name];
  if (at) {
    const time = timeOf(snapshot, at);
    return time !== undefined && since !== undefined && since >= time ? undefined : time;
  }
  const length = typeof after === 'object' ? lengthOf(snapshot, after) : toMilliseconds(after!);
  return length === undefined ? undefined : (since ?? snapshot.enteredAt) + length;
}

/** The limits that go on in a state. */
export function limitsIn({ limits = {} }: AnyEntity, state: string) {
  return Object.entries(limits).flatMap(([name, limit]) =>
    limit.in.includes(state) ? [{ ...limit, name: `limits.${name}` }] : [],
  );
}
