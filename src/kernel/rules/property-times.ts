/*
 * Times that properties hold. S4.5
 *
 * property-times.1. A time is an ISO text with its zone, or milliseconds since 1970. A text without a zone would mean another time in
 *     another process.
 * property-times.2. A length of time is written as in a declaration: milliseconds, or a text such as '30m'.
 * property-times.3. Where a property has no value, there is no deadline. Any other value that is no time breaks the constraint of the
 *     state: the action that leads there fails.
 */
import { parseDuration, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { OneShotTimer, TimeProperty } from '../../definition/timer.js';
import type { SchemaIssue } from '../../protocol/schema-problems.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { valueAt } from './event-guard.js';

type Properties = Pick<Snapshot, 'properties'>;

/** The time that a property holds, in milliseconds since 1970; nothing where it has no value. property-times.1 */
export function timeOf({ properties }: Properties, { of }: TimeProperty): number | undefined {
  const value = valueAt({ properties }, of);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && ISO_TIME.test(value) ? definite(Date.parse(value)) : undefined;
}

/** The length of time that a property holds, in milliseconds; nothing where it has no value. property-times.2 */
export function lengthOf({ properties }: Properties, { of }: TimeProperty): number | undefined {
  const value = valueAt({ properties }, of);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const length = parseDuration(value as Duration);
  // A deadline of no length would be due again and again.
  return length !== undefined && length >= 1 ? length : undefined;
}

/** What keeps the deadlines and time-outs of a state from having a time. property-times.3 */
export function timeIssues(entity: AnyEntity, state: string, contents: Properties): readonly SchemaIssue[] {
  const timeouts = Object.values(entity.subscriptions).filter((each) => isSubscribedIn(entity, each, state));
  const timers = [entity.states[state]?.deadline, ...timeouts.map(({ timeout }) => timeout)];
  return timers.flatMap((timer): readonly SchemaIssue[] => {
    const asked = timer && askedOf(timer);
    if (!asked) return [];
    const { of, read, words } = asked;
    const value = valueAt({ properties: contents.properties }, of.of) ?? undefined;
    if (value === undefined || read(contents, of) !== undefined) return [];
    return [{ path: of.of, message: `is no ${words}, and '${timer.raise}' is raised by it` }];
  });
}

function askedOf({ at, after }: OneShotTimer) {
  if (at !== undefined) return { of: at, read: timeOf, words: 'time: write an ISO text with a zone, or milliseconds' };
  return typeof after === 'object'
    ? { of: after, read: lengthOf, words: "length of time: write milliseconds, or '30m'" }
    : undefined;
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function definite(milliseconds: number): number | undefined {
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
