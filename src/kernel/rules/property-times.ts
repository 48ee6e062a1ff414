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
import type { TimeProperty } from '../../definition/timer.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { valueAt } from './event-guard.js';

type Properties = Pick<Snapshot, 'properties'>;

/** The time that a property holds, in milliseconds since 1970; nothing where it has no value. property-times.1 */
export function timeOf({ properties }: Properties, { of }: TimeProperty): number | undefined {
  const value = valueAt({ properties }, of);
  if (typeof value === 'number') return definite(new Date(value).getTime());
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

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function definite(milliseconds: number): number | undefined {
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
