/** A duration, short, for people, in its two largest units; an empty text where there is none. */
export function formatMilliseconds(ms: number | null): string {
  if (ms === null) return '';
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return together(whole, 60, ['min', 's']);
  const minutes = Math.round(whole / 60);
  if (minutes < 1_440) return together(minutes, 60, ['h', 'min']);
  const hours = Math.round(minutes / 60);
  return together(hours, 24, ['d', 'h']);
}

function together(count: number, each: number, [large, small]: readonly [string, string]): string {
  const rest = count % each;
  return `${Math.floor(count / each)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** The same, with milliseconds where it is shorter than a second. */
export function formatShortMilliseconds(ms: number | null): string {
  return ms !== null && ms < 1_000 ? `${Math.round(ms)} ms` : formatMilliseconds(ms);
}

/** A length of time in milliseconds, in whole seconds, for people: `12 s`, `3 min 5 s`. */
export function inWords(ms: number): string {
  if (ms < 500) return 'less than 1 s';
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : formatMilliseconds(seconds * 1_000);
}

/** How long something has lasted: `for 12 s`. Times are milliseconds since 1970. */
export function lasting(since: number, now: number): string {
  return `for ${inWords(now - since)}`;
}

/** When something comes: `in 3 s`, or that it is late. */
export function ahead(at: number, now: number): string {
  if (at > now) return `in ${inWords(at - now)}`;
  return now - at < 1_000 ? 'now' : `due ${lasting(at, now)}`;
}
