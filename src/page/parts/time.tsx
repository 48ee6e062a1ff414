import { now } from '../api/reading.js';

/** How long something lasts, in words: `4 s`, `12 min`, `3 h 5 min`, `2 d`. */
export function lasting(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 0.9995) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days > 6 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** The same for what is counted in whole seconds as it goes on. */
function goingOn(milliseconds: number): string {
  return milliseconds < 100_000 ? `${Math.max(0, Math.round(milliseconds / 1_000))} s` : lasting(milliseconds);
}

type Given = string | number | Date;

/** Both clocks, for whoever stays on the time with the pointer. */
export function bothClocks(at: Given): string {
  const date = new Date(at);
  return `${date.toLocaleString()} here, ${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`;
}

/** How long ago something was. */
export function Ago({ at }: { readonly at: Given }) {
  const since = now.value - new Date(at).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={bothClocks(at)}>
      {since < 0 ? `in ${goingOn(-since)}` : since < 1_500 ? 'just now' : `${goingOn(since)} ago`}
    </time>
  );
}

/** For how long something lasts already. */
export function Since({ at }: { readonly at: Given }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={`since ${bothClocks(at)}`}>
      {goingOn(now.value - new Date(at).getTime())}
    </time>
  );
}

/** A time of day, with the date where that is another one. */
export function At({ at }: { readonly at: Given }) {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return (
    <time dateTime={date.toISOString()} title={bothClocks(at)}>
      {today ? time : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${time}`}
    </time>
  );
}
