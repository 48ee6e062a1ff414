import { formatMilliseconds } from '../explanation/time-words.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly utc: boolean;
}

/** A time, short, for people: `14:03:21` for today, `21 Nov 14:03` for this year, else `2025-11-21`. */
export function formatTime(time: string | null, { now, utc }: Clock): string {
  if (time === null) return '';
  const [then, today] = [fields(new Date(time), utc), fields(new Date(now), utc)];
  const clock = `${two(then.hour)}:${two(then.minute)}`;
  if (then.year !== today.year) return `${then.year}-${two(then.month + 1)}-${two(then.day)}`;
  if (then.month !== today.month || then.day !== today.day) {
    return `${String(then.day).padStart(2)} ${MONTHS[then.month]} ${clock}`;
  }
  return `${clock}:${two(then.second)}`;
}

/** A time to the millisecond: `2026-11-21 14:03:21.123`. */
export function formatFullTime(time: string | null, { utc }: Clock): string {
  if (time === null) return '';
  const date = new Date(time);
  const { year, month, day, hour, minute, second } = fields(date, utc);
  const milliseconds = String(date.getUTCMilliseconds()).padStart(3, '0');
  return `${year}-${two(month + 1)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}.${milliseconds}${utc ? 'Z' : ''}`;
}

/** The time from one moment to another, or to now: `0.3 s`, `3 min 5 s`, `2 h 3 min`, `4 d 2 h`. */
export function formatDuration(from: string, to: string | null, { now }: Clock): string {
  return formatMilliseconds((to === null ? now : Date.parse(to)) - Date.parse(from));
}

function fields(date: Date, utc: boolean) {
  return utc
    ? {
        ...{ year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() },
        ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
      }
    : {
        ...{ year: date.getFullYear(), month: date.getMonth(), day: date.getDate() },
        ...{ hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds() },
      };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
