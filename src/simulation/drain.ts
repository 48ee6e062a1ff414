/**
 * Runs all pending promise jobs, and those that follow from them: a macrotask comes only when no job is left. Without
 * `setImmediate`, as in a browser, a timer does the same more slowly.
 */
export const drainPromises: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () => new Promise((resolve) => setTimeout(resolve, 0));
