/*
 * When the automatic action runs again after it has failed, and where its attempts lead in the end. S3.5
 *
 * retry.1. An error whose code has a rule of its own counts by that rule. If the rule limits its attempts, only executions that
 *     ended with this code count for the limit, and they do not count for that of other errors.
 * retry.2. No attempt begins before the time that a provider has named: it wins over the delay, also over its maximum.
 */
import { ownRule, retryFor } from '../../definition/retry-rules.js';
import { retryTimes } from '../../definition/retry-times.js';
import type { Retry } from '../../definition/state.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** Milliseconds to wait after the given number of executions, growing with each. S3.5 */
export function retryDelay(retry: Retry | undefined, executions: number): number {
  const { delayMs, growth, maxDelayMs } = retryTimes(retry);
  // After many executions the power is infinite, and no time at all times infinity is no number.
  return delayMs === 0 ? 0 : Math.min(delayMs * growth ** (executions - 1), maxDelayMs);
}

/** The count of an execution that ended with this error, where the declaration has a rule for its code. retry.1 */
export function countError({ failedBy }: Snapshot, retry: Retry | undefined, code: string | undefined) {
  if (code === undefined || !ownRule(retry, code)) return failedBy ? { failedBy } : {};
  return { failedBy: { ...failedBy, [code]: (failedBy?.[code] ?? 0) + 1 } };
}

/** The rule for an error that has been counted, with how many executions count for its delay and for its limit. retry.1 */
export function attemptsOf(
  { attempt, failedBy = {} }: Pick<Snapshot, 'attempt' | 'failedBy'>,
  retry: Retry | undefined,
  code: string | undefined,
): { readonly rule: Retry; readonly forDelay: number; readonly forLimit: number } {
  const own = ownRule(retry, code);
  const apart = Object.entries(failedBy).filter(([each]) => ownRule(retry, each)?.attempts !== undefined);
  const others = attempt - apart.reduce((sum, [, count]) => sum + count, 0);
  const ofCode = (own && failedBy[code!]) ?? others;
  return {
    rule: retryFor(retry, code),
    forDelay: own ? ofCode : others,
    forLimit: own?.attempts === undefined ? others : ofCode,
  };
}

/** The limit that is shown beside the number of the attempt: none where earlier attempts do not count for it. retry.1 */
export function shownLimit(snapshot: Snapshot, retry: Retry | undefined): number | undefined {
  const { rule, forLimit } = attemptsOf(snapshot, retry, snapshot.lastError?.code);
  return forLimit === snapshot.attempt ? rule.attempts : undefined;
}

/** Milliseconds until the next attempt. retry.2 */
export function nextDelay(chosenMs: number, error: ErrorRecord | undefined): number {
  return Math.max(chosenMs, error?.retryAfterMs ?? 0);
}
