/** Waits until all have ended. @throws what the first of them has thrown, in their order */
export async function allEnded(runs: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(runs)) if (end.status === 'rejected') throw end.reason;
}
