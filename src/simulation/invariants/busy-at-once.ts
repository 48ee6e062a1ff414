import { rejectionIn } from '../../definition/busy.js';
import type { Answer } from '../../protocol/answer.js';
import type { Invariant } from '../fact.js';

/** S2.3: an event that is declared to be rejected while an action runs does not wait for it. */
export function busyAtOnce(): Invariant {
  return {
    name: 'an event that is not to wait for an action is rejected',
    hear(fact) {
      if (fact.kind !== 'decided') return undefined;
      const { by, before, after, requests, answers } = fact;
      // The same action has run all the time.
      if (!before.running || before.version !== after.version || before.reservation) return undefined;
      const waits = requests.find(
        ({ event, addressedAt }, place) =>
          isLeftWaiting(answers[place]) &&
          addressedAt === undefined &&
          rejectionIn(by.entity, event, before.state) !== undefined,
      );
      if (!waits) return undefined;
      return `'${waits.event}' waits on ${by.id} for '${before.running.action}', while which it is to be rejected`;
    },
  };
}

function isLeftWaiting(answer: Answer | undefined): boolean {
  return answer?.status === 'waiting' && answer.repeated !== true;
}
