/** The longest that a timer of Node lasts, in milliseconds. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Aborts when its time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Lets go of it. It does not abort any more. */
  clear(): void;
}

/**
 * Aborts after some milliseconds, or when `other` does. It has a timer of its own, since Node 20 forgets what `AbortSignal.any`
 * makes of an `AbortSignal.timeout` at the next garbage collection, and then that never aborts.
 */
export function timeLimit(milliseconds: number, other?: AbortSignal): TimeLimit {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, Math.min(Math.max(milliseconds, 0), LONGEST_TIMER_MS));
  if (other?.aborted) end();
  other?.addEventListener('abort', end, { once: true });
  return {
    signal: over.signal,
    clear: () => {
      clearTimeout(timer);
      other?.removeEventListener('abort', end);
    },
  };
}
