import { isKnown } from '../../kernel/index.js';
import type { CallbackCall } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';

/** A3: a question that was closed without an answer is withdrawn at its provider, and no other one is. */
export function questionsWithdrawn(): Invariant {
  return {
    name: 'a question that is closed is withdrawn',
    hear(fact, all) {
      if (fact.kind === 'quiet') {
        const left = all.entities().find(({ snapshot }) => snapshot.withdrawals);
        return left && `nobody has told those whom ${left.subject.id} has asked that it does not wait any more`;
      }
      if (fact.kind !== 'changed' || !fact.before) return undefined;
      const { before, after } = fact;
      const { callbacks = [] } = before;
      const silent = callbacks.find(
        (round) => round.withdrawal && isOpen(round) && !isLeft(round, after) && !isListed(round.id, after),
      );
      if (silent) return `${fact.by.id} has closed its question to ${silent.call}, and keeps silent about it`;
      // A question that was asked and closed in one task was not there before.
      const wrong = (after.withdrawals ?? []).find(
        ({ id }) =>
          !isListed(id, before) && (isLeft({ id }, after) || callbacks.some((each) => each.id === id && !isOpen(each))),
      );
      return wrong && `${fact.by.id} withdraws a question to ${wrong.call} that it has not closed`;
    },
  };
}

function isOpen({ answer, end }: CallbackCall): boolean {
  return answer === undefined && end === undefined;
}

/** Tells whether a question can still be answered, or has been: an answer is known to the ledger also when its round is gone. */
function isLeft({ id }: Pick<CallbackCall, 'id'>, { callbacks = [], ledger }: Snapshot): boolean {
  return isKnown(ledger, id) || callbacks.some((round) => round.id === id && round.end === undefined);
}

function isListed(id: string, { withdrawals = [] }: Snapshot): boolean {
  return withdrawals.some((each) => each.id === id);
}
