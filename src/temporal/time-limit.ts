/** How long is waited at a time, in milliseconds. */
const SLICE_MS = 1_000;
/** How late a timer may be, in milliseconds, before the process counts as standing still. */
const LATE_MS = 500;

/**
 * Waits for work as long as it may take. Time in which the whole process stood still does not count: whose work did that is told by
 * the watch over it, and the others have done nothing.
 * @param expired gives what is thrown when the time is over; what becomes of the work then is told to nobody
 */
export async function withinLimit<T>(limitMs: number, work: Promise<T>, expired: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const wait = (leftMs: number) => {
      const sliceMs = Math.min(leftMs, SLICE_MS);
      const since = performance.now();
      timer = setTimeout(() => {
        const left = leftMs - Math.min(performance.now() - since, sliceMs + LATE_MS);
        if (left < 1) reject(expired());
        else wait(left);
      }, sliceMs);
    };
    wait(limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
