import { quoted } from '../../protocol/odata-text.js';
import { UsageError } from '../usage-error.js';

/*
 * Turns the options of a list into OData conditions, so that there is one way to ask.
 */

/** A condition on a column: equal to a text, or without a value. */
export function equal(column: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${column} eq ${quoted(value)}`];
}

/** A condition on a column: equal to any of these texts, or without a value. */
export function equalAny(column: string, values: readonly string[] | '' | undefined): readonly string[] {
  if (!values) return [];
  const conditions = values.flatMap((value) => equal(column, value));
  return conditions.length === 1 ? conditions : [`(${conditions.join(' or ')})`];
}

/** `--dimension region=eu`, any number of times. Where the dimensions are not known here, the service checks them. */
export function dimensionConditions(
  given: readonly string[],
  declared: readonly string[] | undefined,
): readonly string[] {
  return given.flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (at < 1) throw new UsageError(`--dimension is not a name with a value: '${pair}'. Write it like region=eu.`);
    if (declared && !declared.includes(name)) {
      const known = declared.length > 0 ? `The dimensions are: ${declared.join(', ')}.` : 'The project declares none.';
      throw new UsageError(`There is no dimension '${name}'. ${known}`);
    }
    return equal(name, pair.slice(at + 1));
  });
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `--since 2h`, or a time: only what is not older. */
export function sinceCondition(column: string, since: string | undefined, now: number): readonly string[] {
  return since === undefined ? [] : [`${column} ge ${timeOf('--since', since, now).toISOString()}`];
}

/** `--for 1h`: only what has been so since then, or longer. @throws UsageError */
export function forCondition(column: string, duration: string | undefined, now: number): readonly string[] {
  if (duration === undefined) return [];
  const ago = agoOf(duration, now);
  if (ago && !Number.isNaN(ago.getTime())) return [`${column} le ${ago.toISOString()}`];
  throw new UsageError(`--for is not a duration: '${duration}'. Write it like 30m, 2h or 7d.`);
}

/** The same for days, in UTC: the first day counts as a whole. */
export function sinceDay(column: string, since: string, now: number): readonly string[] {
  return [`${column} ge ${timeOf('--since', since, now).toISOString().slice(0, 10)}`];
}

/** The time in an option: `2h` ago, or a time, in the zone of this machine where it names none. @throws UsageError */
export function timeOf(option: string, text: string, now: number): Date {
  const time = agoOf(text, now) ?? new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`${option} is not a time: '${text}'. Write it like 30m, 2h, 7d or 2026-11-21T14:00.`);
}

/** The time that was so long ago: `2h`; nothing for other texts. It may be no valid time. */
function agoOf(text: string, now: number): Date | undefined {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : new Date(now - Number(count) * (UNITS[unit ?? ''] ?? 0));
}
