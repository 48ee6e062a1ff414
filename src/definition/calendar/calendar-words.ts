import type { Calendar } from './calendar.js';
import { leavesDaysOut, leavesWeekdaysOut, readCron, type CronPattern } from './cron-pattern.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 12;
/** More times of the day are not listed. */
const MOST_TIMES = 4;

/** A calendar for people: `every day at 03:00 in Europe/Berlin`. A pattern that takes more words is shown as it is. */
export function describeCalendar({ cron, timeZone }: Calendar): string {
  const read = readCron(cron);
  const words = 'pattern' in read ? wordsOf(read.pattern) : undefined;
  return `${words ?? `by cron '${cron}'`} in ${timeZone}`;
}

function wordsOf(pattern: CronPattern): string | undefined {
  const { minutes, hours, days, months, weekdays } = pattern;
  if (minutes.length * hours.length > MOST_TIMES || months.length < MONTHS) return undefined;
  const times = listed(hours.flatMap((hour) => minutes.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`)));
  const [someDays, someWeekdays] = [leavesDaysOut(days), leavesWeekdaysOut(weekdays)];
  if (!someDays && !someWeekdays) return `every day at ${times}`;
  if (!someDays) return `every ${listed(weekdays.map((day) => WEEKDAYS[day]!))} at ${times}`;
  return someWeekdays || days.length > MOST_TIMES
    ? undefined
    : `on day ${listed(days.map(String))} of every month at ${times}`;
}

function listed(words: readonly string[]): string {
  return [...(words.length > 1 ? [words.slice(0, -1).join(', ')] : []), words.at(-1)].join(' and ');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
