/*
 * Times that properties hold. S4.5
 *
 * property-times.1. A time is an ISO text with its zone, or milliseconds since 1970. A text without a zone would mean another time in
 *     another process.
 * property-times.2. A length of time is written as in a declaration: milliseconds, or a text such as '30m'.
 * property-times.3. Where a property has no value, there is no deadline. Any other value that is no time breaks the constraint of the
 *     state: the action that leads there fails.
 */
import { parseDuration, toMilliseconds, type Duration } from '../../definition/duration.js';
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

/**
 * The length of time that a property holds, in milliseconds; nothing where it has no value. property-times.2
 * @param least a deadline of no length would be due again and again
 */
export function lengthOf({ properties }: Properties, { of }: TimeProperty, least = 1): number | undefined {
  const value = valueAt({ properties }, of);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const length = parseDuration(value as Duration);
  return length !== undefined && length >= least ? length : undefined;
}

/** How long an automatic action waits after the entry into its state, in milliseconds: not at all where a property has no value. */
export function waitOf(contents: Properties, wait: Duration | TimeProperty = 0): number {
  return typeof wait === 'object' ? (lengthOf(contents, wait, 0) ?? 0) : toMilliseconds(wait);
}

/** What keeps the deadlines and time-outs of a state from having a time. property-times.3 */
export function timeIssues(entity: AnyEntity, state: string, contents: Properties): readonly SchemaIssue[] {
  const timeouts = Object.values(entity.subscriptions).filter((each) => isSubscribedIn(entity, each, state));
  const { deadline, wait } = entity.states[state] ?? {};
  const issues = (asked: Asked | undefined, why: string): readonly SchemaIssue[] => {
    if (!asked) return [];
    const { of, read, words } = asked;
    const value = valueAt({ properties: contents.properties }, of.of) ?? undefined;
    return value === undefined || read(contents, of) !== undefined
      ? []
      : [{ path: of.of, message: `is no ${words}, and ${why}` }];
  };
  return [
    ...[deadline, ...timeouts.map(({ timeout }) => timeout)].flatMap((timer) =>
      timer ? issues(askedOf(timer), `'${timer.raise}' is raised by it`) : [],
    ),
    ...(typeof wait === 'object' ? issues(askedOf({ after: wait, raise: '' }, 0), `${state} waits for so long`) : []),
  ];
}

/** A property that has to hold a time. */
interface Asked {
  readonly of: TimeProperty;
  readonly read: (contents: Properties, of: TimeProperty) => number | undefined;
  readonly words: string;
}

function askedOf({ at, after }: OneShotTimer, least = 1): Asked | undefined {
  if (at !== undefined) return { of: at, read: timeOf, words: 'time: write an ISO text with a zone, or milliseconds' };
  return typeof after === 'object'
    ? {
        of: after,
        read: (...asked) => lengthOf(...asked, least),
        words: "length of time: write milliseconds, or '30m'",
      }
    : undefined;
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function definite(milliseconds: number): number | undefined {
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
