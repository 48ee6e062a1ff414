import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { TimeProperty } from '../../definition/timer.js';
import type { SchemaIssue } from '../../protocol/schema-problems.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { valueAt } from './event-guard.js';
import { lengthOf, timeOf } from './property-times.js';

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

/** Finds the values by which a state would have no deadline, time-out or wait, although they are there. property-times.3 */
export function timeIssues(
  entity: AnyEntity,
  state: string,
  contents: Pick<Snapshot, 'properties'>,
): readonly SchemaIssue[] {
  const { wait } = entity.states[state] ?? {};
  const issues = (property: TimeProperty, read: number | undefined, what: string, why: string): SchemaIssue[] => {
    const value = valueAt({ properties: contents.properties }, property.of) ?? undefined;
    return value === undefined || read !== undefined
      ? []
      : [{ path: property.of, message: `is no ${what}, and ${why}` }];
  };
  return [
    ...oneShots(entity, state).flatMap(({ raise, after, at }) => {
      const why = `'${raise}' is raised by it`;
      if (at) return issues(at, timeOf(contents, at), A_TIME, why);
      return typeof after === 'object' ? issues(after, lengthOf(contents, after), A_LENGTH, why) : [];
    }),
    ...(typeof wait === 'object'
      ? issues(wait, lengthOf(contents, wait, 0), A_LENGTH, `${state} waits for so long`)
      : []),
  ];
}

const A_TIME = 'time: write an ISO text with a zone, or milliseconds';
const A_LENGTH = "length of time: write milliseconds, or '30m'";

/** The limits that go on in a state. */
export function limitsIn({ limits = {} }: AnyEntity, state: string) {
  return Object.entries(limits).flatMap(([name, limit]) =>
    limit.in.includes(state) ? [{ ...limit, name: `limits.${name}` }] : [],
  );
}
