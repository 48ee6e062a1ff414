import { entityId } from '../../protocol/names.js';
import type { Answer } from '../../protocol/answer.js';
import type { Invariant } from '../fact.js';

/** An answer that came from outside long ago is forgotten with its question. */
const NO_ANSWERS = ['request_conflict', 'try_again', 'callback_closed'];

/** S2.5: a request that was accepted once is answered so for ever, with the same operation; or is to be asked again. */
export function sameAnswer(): Invariant {
  const accepted = new Map<string, Extract<Answer, { status: 'accepted' }>>();
  return {
    name: 'the same request has the same answer',
    hear(fact) {
      if (fact.kind !== 'answered') return undefined;
      const { life, to, request, answer } = fact;
      const name = `${life} ${request.id}`;
      const before = accepted.get(name);
      if (answer.status === 'accepted') accepted.set(name, answer);
      if (!before || (answer.status === 'rejected' && NO_ANSWERS.includes(answer.rejection.code))) return undefined;
      if (answer.status === 'accepted' && answer.operation === before.operation) return undefined;
      return `'${request.event}' (${request.id}) on ${entityId(to)} was accepted, and asked again it is ${answer.status}`;
    },
  };
}
