import { timeoutOf } from '../../definition/call-times.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Asker } from '../asker.js';
import type { Invariant } from '../fact.js';

/**
 * S3.2: what an aborted action has called takes no effect after the action has ended, unless the call is declared to do no harm, or
 * its time limit was over by then.
 */
export function abortComesLast(): Invariant {
  /** By life: since when the running action is being aborted. */
  const since = new Map<string, number>();
  /** How long the end of an aborted action was waited for, in milliseconds. */
  const waited = new Map<string, number>();
  return {
    name: 'nothing of an aborted action takes effect after its end',
    hear(fact, { now }) {
      if (fact.kind === 'changed') {
        const { by, before, after, ended } = fact;
        if (after.running?.aborted && !ended) {
          since.set(by.life, since.get(by.life) ?? now);
          return undefined;
        }
        const action = before && actionOf(before);
        const aborted = ended?.threw === true && after.lastError?.code === 'aborted';
        if (aborted && action !== undefined) waited.set(`${by.life} ${action}`, now - (since.get(by.life) ?? now));
        since.delete(by.life);
        return undefined;
      }
      if (fact.kind !== 'called') return undefined;
      const { by, execution, asker, shape } = fact;
      const waitedMs = waited.get(`${by.life} ${nameOf(asker)}`);
      if (waitedMs === undefined || shape.waitOnAbort === false || waitedMs >= timeoutOf(shape)) return undefined;
      if (execution.error !== undefined) return undefined;
      return `${execution.call} of '${asker.action}' takes effect on ${by.id}, which has aborted that action, and goes on since`;
    },
  };
}

function actionOf({ running, entry, attempt, engagements }: Snapshot): string | undefined {
  if (!running) return undefined;
  const event = running.kind === 'event' ? engagements.at(-1)?.id : undefined;
  return nameOf({ entry, attempt, action: running.action, ...(event !== undefined && { event }) });
}

function nameOf({ entry, attempt, action = '', event = '' }: Asker): string {
  return `${entry} ${attempt} ${action} ${event}`;
}
