import { parseDuration, type Duration } from '../../definition/duration.js';
import { ProblemError } from '../problem.js';

/** A period of time, as a request asks for it. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
  /** Tells whether it lasts until now. */
  readonly lasts: boolean;
}

/**
 * Reads the options `from` and `until`: each a time, or how long ago. The period ends now without `until`.
 * @param usual how long ago it begins where the request does not say it
 * @param now in milliseconds since 1970
 * @throws ProblemError 400
 */
export function periodOf(options: URLSearchParams, usual: string, now: number): Period {
  const until = options.has('until') ? timeIn('until', options.get('until') ?? '', now) : now;
  const from = timeIn('from', options.get('from') ?? usual, now);
  if (from >= until) throw wrong('from', 'the period ends before it begins');
  return { from: new Date(from), until: new Date(until), lasts: until >= now };
}

/** A time, or how long ago it is: `24h`. */
function timeIn(name: 'from' | 'until', text: string, now: number): number {
  const ago = parseDuration(text as Duration);
  const time = ago === undefined ? timeOf(text) : now - ago;
  // Nothing that PostgreSQL takes for a time is so far away.
  if (time !== undefined && Math.abs(time) <= FARTHEST_MS) return time;
  throw wrong(name, `'${text}' is not a time: write it like 30m, 24h, 7d or 2026-11-21T14:00:00Z`);
}

/** In milliseconds: up to the year 9999. */
const FARTHEST_MS = Date.UTC(9999, 11, 31);

/** A date, or a time with its zone. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function wrong(path: string, message: string): ProblemError {
  return ProblemError.invalid('invalid_parameters', [{ path, message }]);
}
