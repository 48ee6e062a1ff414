import { condition } from '@temporalio/workflow';

/** True when the predicate holds, false when the time is over, for which a timer with that summary waits. */
export function untilHolds(summary: string | undefined) {
  return async (predicate: () => boolean, timeoutMs?: number): Promise<boolean> => {
    if (timeoutMs !== undefined) return condition(predicate, timeoutMs, summary === undefined ? {} : { summary });
    await condition(predicate);
    return true;
  };
}
