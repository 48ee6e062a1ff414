/*
 * The five fields of a cron pattern.
 *
 * cron-pattern.1. A field is a list of numbers, ranges and steps: `0`, `1-5`, `0,30`, `*`, the step of `*` or of a range. Months and
 *     days of the week have names too. Day 7 of the week is Sunday, as is 0.
 * cron-pattern.2. A day counts if it fits the month and both day fields. Where both day fields leave days out, one is enough: that is
 *     what crontab does.
 */

/** A pattern that was read: the values that each field allows, in ascending order. */
export interface CronPattern {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** Sunday is 0. */
  readonly weekdays: readonly number[];
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The names of values, from the first one on. */
  readonly names?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  {
    ...{ name: 'month', from: 1, to: 12 },
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const DAYS_OF_THE_WEEK = 7;
/** The most days that each month has, from January on. */
const MOST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A pattern, or what is wrong with it. */
export type ReadCron = { readonly pattern: CronPattern } | { readonly problem: string };

/** Reads a cron pattern. */
export function readCron(cron: string): ReadCron {
  const parts = cron.trim().split(/\s+/);
  if (parts.length === FIELDS.length + 1) return { problem: 'has six fields: seconds are not supported' };
  if (parts.length !== FIELDS.length) return { problem: `has ${parts.length} of five fields` };
  const values: (readonly number[])[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const allowed = valuesOf(field, parts[index]!);
    if (allowed === undefined) {
      const { name, from, to } = field;
      return { problem: `has '${parts[index]}' as ${name}, which takes ${from} to ${to}` };
    }
    values.push(allowed);
  }
  const [minutes, hours, days, months, weekdays] = values as [number[], number[], number[], number[], number[]];
  const unique = [...new Set(weekdays.map((day) => day % DAYS_OF_THE_WEEK))].sort((one, other) => one - other);
  const pattern = { minutes, hours, days, months, weekdays: unique };
  return isEverADay(pattern) ? { pattern } : { problem: 'never ticks: no such month has such a day' };
}

/** Tells whether the pattern ticks on a day, which is given by its midnight in UTC. cron-pattern.2 */
export function isOnDay({ days, months, weekdays }: CronPattern, midnight: number): boolean {
  const date = new Date(midnight);
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = days.includes(date.getUTCDate());
  const isWeekday = weekdays.includes(date.getUTCDay());
  return leavesDaysOut(days) && leavesWeekdaysOut(weekdays) ? isDay || isWeekday : isDay && isWeekday;
}

export function leavesDaysOut(days: readonly number[]): boolean {
  return days.length < 31;
}

export function leavesWeekdaysOut(weekdays: readonly number[]): boolean {
  return weekdays.length < DAYS_OF_THE_WEEK;
}

function isEverADay({ days, months, weekdays }: CronPattern): boolean {
  return leavesWeekdaysOut(weekdays) || months.some((month) => days.some((day) => day <= MOST_DAYS[month - 1]!));
}

/** The values that a field allows, in ascending order; `undefined` where it is malformed. cron-pattern.1 */
function valuesOf(field: Field, text: string): readonly number[] | undefined {
  const allowed = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\w+|\w+-\w+)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, range, stepText] = match;
    // A step counts from a beginning to an end.
    if (stepText !== undefined && !/[*-]/.test(range!)) return undefined;
    const step = Number(stepText ?? 1);
    const [first, last = first] =
      range === '*' ? [field.from, field.to] : range!.split('-').map((at) => valueOf(field, at));
    if (first === undefined || last === undefined || first > last || step < 1) return undefined;
    for (let value = first; value <= last; value += step) allowed.add(value);
  }
  return [...allowed].sort((one, other) => one - other);
}

function valueOf({ names = [], from, to }: Field, text: string): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return from + named;
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= from && value <= to ? value : undefined;
}
