import { condition } from '@temporalio/workflow';

/** Waits until the predicate holds (true), or the time is over (false). The timer for that has the summary. */
export function untilHolds(summary: string | undefined) {
  return async (predicate: () => boolean, timeoutMs?: number): Promise<boolean> => {
    if (timeoutMs !== undefined) return condition(predicate, timeoutMs, summary === undefined ? {} : { summary });
    await condition(predicate);
    return true;
  };
}
