/*
 * The next tick of a calendar. Workflow code never asks for it: the data of time zones differ between versions of Node, and a replay
 * would decide otherwise. S4.5
 *
 * next-tick.1. Where clocks go forward, all times that they leave out are one tick, at the moment of the change.
 * next-tick.2. Where clocks go back, a time that they show twice ticks the first time.
 * next-tick.3. A pattern with all hours is a period, and no time of the day: it leaves nothing to be made up for, and ticks in both of
 *     two equal hours.
 */
import type { Calendar } from './calendar.js';
import { isOnDay, readCron, type CronPattern } from './cron-pattern.js';
import { localTime, offsetAt } from './time-zone.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
/** From 29 February 2096 to the next one, and a day more. */
const MOST_DAYS = 366 * 9;

/** The first tick after a time, both in milliseconds since 1970. @throws RangeError for a calendar that no declaration has */
export function nextTick({ cron, timeZone }: Calendar, since: number): number {
  const read = readCron(cron);
  if ('problem' in read) throw new RangeError(`The cron pattern '${cron}' ${read.problem}.`);
  const { pattern } = read;
  const firstOn = (day: number) => (isOnDay(pattern, day) ? firstTickOnDay(pattern, timeZone, day, since) : Infinity);
  // A tick that clocks have left out can come on the day after its own.
  const today = Math.floor(localTime(timeZone, since) / DAY_MS) * DAY_MS;
  for (let day = today - DAY_MS; day < today + MOST_DAYS * DAY_MS; day += DAY_MS) {
    const first = firstOn(day);
    // Where clocks go back over midnight, the next day has begun before.
    if (first < Infinity) return Math.min(first, firstOn(day + DAY_MS));
  }
  throw new RangeError(`The cron pattern '${cron}' never ticks.`);
}

/** The first tick after a time, of those of a local day, which is given by its midnight in UTC. Infinity where there is none. */
function firstTickOnDay({ hours, minutes }: CronPattern, zone: string, day: number, since: number): number {
  const [before, after] = [offsetAt(zone, day - DAY_MS), offsetAt(zone, day + 2 * DAY_MS)];
  const [least, most] = [Math.min(before, after), Math.max(before, after)];
  const isPeriod = hours.length === HOURS;
  let first = Infinity;
  for (const hour of hours) {
    for (const minute of minutes) {
      const time = day + hour * HOUR_MS + minute * MINUTE_MS;
      if (time - least <= since) continue;
      if (time - most >= first) return first;
      const ticks = least === most ? [time - least] : ticksAt(zone, time, [before, after], isPeriod);
      first = Math.min(first, ...ticks.filter((tick) => tick > since));
    }
  }
  return first;
}

/** The ticks of a local time on a day on which clocks may change. @param offsets before and after the change */
function ticksAt(zone: string, time: number, offsets: readonly [number, number], isPeriod: boolean): readonly number[] {
  const [early, late] = offsets.map((offset) => time - offset).toSorted((one, other) => one - other) as [
    number,
    number,
  ];
  const moments = [early, late].filter((each) => localTime(zone, each) === time);
  if (moments.length > 0) return isPeriod ? moments : moments.slice(0, 1);
  return isPeriod ? [] : [changeBetween(zone, early, late)];
}

/** The moment at which clocks go forward, to the minute. */
function changeBetween(zone: string, from: number, until: number): number {
  const offset = offsetAt(zone, from);
  let [before, after] = [from, until];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
