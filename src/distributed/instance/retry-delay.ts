const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** How long is waited after so many attempts that failed: a second first, then twice as long each time, up to a minute. */
export function retryDelay(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_MS);
}
