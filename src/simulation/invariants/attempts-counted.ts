import { ownRule } from '../../definition/retry-rules.js';
import { RETRY_EVENT } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/**
 * S3.5: attempts are counted one by one from each entry into a state and from each retry of an operator, and end at the declared
 * limit. Those that end with an error of a kind end at the limit for this kind. After one that was aborted, the action runs again
 * in any case (S3.2).
 */
export function attemptsCounted(): Invariant {
  const last = new Map<string, { readonly entry: number; readonly attempt: number; readonly retry: string }>();
  /** Life -> how many executions since then have ended with an error, by its code. */
  const failed = new Map<string, Map<string, number>>();
  /** The lives whose last execution was aborted. */
  const aborted = new Set<string>();
  return {
    name: 'attempts are counted',
    hear(fact) {
      if (fact.kind === 'changed') {
        const { by, before, after, ended } = fact;
        const code = after.lastError?.code;
        const { running } = before ?? {};
        if (running?.kind === 'automatic' && running.aborted && !after.running?.aborted) aborted.add(by.life);
        const isAttempt = before?.running?.kind === 'automatic' && ended !== undefined && after.entry === before.entry;
        // An abort is no error of the action.
        if (!isAttempt || code === undefined || code === 'aborted' || after.attempt === 0) return undefined;
        // One that stays without an error keeps that of the attempt before.
        const isNew = JSON.stringify(before.lastError) !== JSON.stringify(after.lastError);
        const isCounted = after.failedBy?.[code] !== before.failedBy?.[code];
        if (!ended.threw && !isNew && !isCounted) return undefined;
        const counts = failed.get(by.life) ?? new Map<string, number>();
        failed.set(by.life, counts.set(code, (counts.get(code) ?? 0) + 1));
        return undefined;
      }
      if (fact.kind !== 'started' || fact.snapshot.running?.kind !== 'automatic') return undefined;
      const { by, action, snapshot } = fact;
      const { entry, attempt, state } = snapshot;
      const wasAborted = aborted.delete(by.life);
      const before = last.get(by.life);
      const retry = snapshot.engagements.findLast(({ event }) => event === RETRY_EVENT)?.id ?? '';
      last.set(by.life, { entry, attempt, retry });
      const anew = before?.entry !== entry || (retry !== '' && retry !== before.retry);
      const again = snapshot.running?.restarts === undefined ? 1 : 0;
      const expected = anew ? 1 : before.attempt + again;
      if (attempt !== expected) return `'${action}' of ${by.id} is attempt ${attempt}, and should be ${expected}`;
      if (attempt === 1) failed.delete(by.life);
      const rules = by.entity.states[state]?.retry;
      let others = attempt;
      for (const [code, count] of failed.get(by.life) ?? []) {
        const limit = ownRule(rules, code)?.attempts;
        if (limit === undefined) continue;
        if (count >= limit)
          return `'${action}' of ${by.id} runs again after ${count} of ${limit} attempts with '${code}'`;
        others -= count;
      }
      const limit = rules?.attempts;
      if (limit === undefined || others <= limit || wasAborted) return undefined;
      return `'${action}' of ${by.id} is attempt ${others} of ${limit}`;
    },
  };
}
