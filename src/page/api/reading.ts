import { signal, useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { token } from '../session/token.js';
import { ask, read } from './client.js';
import { NoAnswer, Problem } from './problem.js';
import type { Page } from './shapes.js';

/** The data that was read, and whether that is how it is now. */
export interface Reading<T> {
  /** The data of the last answer; none before the first one. It stays while it is read again. */
  readonly data?: T;
  /** When it came, in milliseconds since 1970. */
  readonly at?: number;
  /** Why the last question was not answered. */
  readonly problem?: Problem | NoAnswer;
  readonly loading: boolean;
}

/**
 * Reads something while it is shown.
 * @param path what is read; nothing while it is not known
 * @param tick it is read again when this changes: the revision of what it shows
 * @param everyMs and after this time at the latest
 */
export function useReading<T>(
  path: string | undefined,
  tick: unknown = 0,
  everyMs?: number,
  readIt: (path: string, signal: AbortSignal) => Promise<T> = read<T>,
): ReadonlySignal<Reading<T>> {
  const reading = useSignal<Reading<T> & { readonly of?: string }>({ loading: path !== undefined });
  const again = useSignal(0);
  const who = token.value;
  useEffect(() => {
    if (path === undefined) {
      reading.value = { loading: false };
      return undefined;
    }
    const before = reading.peek();
    // Nothing of one thing is shown as another's.
    reading.value = before.of === path ? { ...before, loading: true } : { of: path, loading: true };
    const leaving = new AbortController();
    void readIt(path, leaving.signal).then(
      (data) => (reading.value = { of: path, data, at: Date.now(), loading: false }),
      (thrown: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(thrown instanceof Problem) && !(thrown instanceof NoAnswer)) throw thrown;
        const { problem: _, ...last } = reading.peek();
        reading.value = { ...last, problem: thrown, loading: false };
      },
    );
    return () => leaving.abort();
  }, [path, tick, again.value, who]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && !reading.peek().loading) again.value++;
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return reading;
}

/** All rows of a list, or as many as a page can show. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Tells whether there are more. */
  readonly more: boolean;
}

/** The number of rows of a list that are shown at once, at most. */
const MOST_ROWS = 5_000;
const PAGE_ROWS = 1_000;

/** Reads a list whole, page by page, while it is shown. */
export function useRows<Row>(path: string | undefined, tick: unknown, everyMs?: number) {
  return useReading<Rows<Row>>(path, tick, everyMs, readRows);
}

async function readRows<Row>(path: string, signal: AbortSignal): Promise<Rows<Row>> {
  const rows: Row[] = [];
  const headers = { prefer: `maxpagesize=${PAGE_ROWS}` };
  for (let next: string | undefined = path; next !== undefined;) {
    if (rows.length >= MOST_ROWS) return { rows, more: true };
    const page: Page<Row> = (await ask<Page<Row>>('GET', next, { headers, signal })).body;
    rows.push(...page.value);
    next = page['@odata.nextLink'];
  }
  return { rows, more: false };
}

/** The time, for what says how long ago something was: it moves on each second while the page is seen. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);
