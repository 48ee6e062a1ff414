import { signal } from '@preact/signals';
import { now } from '../api/reading.js';
import { inWords } from '../../cli/explanation/time-words.js';

/* Durations and their words are those of the command line. */
export { formatShortMilliseconds as lasting } from '../../cli/explanation/time-words.js';

const KEPT_AS = 'reeve.utc';

/** Is true while times are shown in UTC, and not as the clocks here show them. */
export const utc = signal(localStorage.getItem(KEPT_AS) !== null);

export function switchUtc(): void {
  utc.value = !utc.value;
  if (utc.value) localStorage.setItem(KEPT_AS, '');
  else localStorage.removeItem(KEPT_AS);
}

type Given = string | number | Date;

/** A date and a time, on the clock of 24 hours: `29 Nov, 07:46:33`. */
function clock(at: Given, { inUtc = utc.value } = {}): string {
  const date = new Date(at);
  const text = date.toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...(date.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
    ...(inUtc && { timeZone: 'UTC' }),
  });
  return inUtc ? `${text} UTC` : text;
}

/** Both clocks, for whoever stays on the time with the pointer. */
export function bothClocks(at: Given): string {
  return `${clock(at, { inUtc: false })} here, ${clock(at, { inUtc: true })}`;
}

/** How long ago something was. */
export function Ago({ at }: { readonly at: Given }) {
  const since = now.value - new Date(at).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={bothClocks(at)}>
      {since <= -1_500 ? `in ${inWords(-since)}` : since < 1_500 ? 'just now' : `${inWords(since)} ago`}
    </time>
  );
}

/** For how long something lasts already. */
export function Since({ at }: { readonly at: Given }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={`since ${bothClocks(at)}`}>
      {inWords(now.value - new Date(at).getTime())}
    </time>
  );
}

/** A time, with its date. */
export function At({ at }: { readonly at: Given }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={bothClocks(at)}>
      {clock(at)}
    </time>
  );
}
