import type { RaiseRequest } from '../../protocol/request.js';
import { isKnown } from '../../kernel/index.js';
import type { Invariant } from '../fact.js';

/** S2.2: a rejected event has no effect. From outside it leaves nothing behind: the same request may be accepted later. */
export function rejectionChangesNothing(): Invariant {
  /** Requests that were accepted at another time: these are remembered. */
  const accepted = new Set<string>();
  /** Requests of other entities, and those of them that were rejected: that stays so. */
  const ofOthers = new Set<string>();
  const rejected = new Set<string>();
  return {
    name: 'a rejected event has no effect',
    hear(fact, all) {
      if (fact.kind === 'started') {
        const { by, action, snapshot } = fact;
        const name = `${by.life} ${snapshot.engagements.at(-1)?.id}`;
        if (rejected.has(name)) return `${by.id} starts '${action}' for a request that it has rejected: ${name}`;
        accepted.add(name);
      }
      if (fact.kind === 'delivered' && fact.message.kind === 'raise') {
        ofOthers.add(`${fact.life} ${fact.message.request.id}`);
      }
      if (fact.kind === 'answered' && fact.answer.status === 'accepted')
        accepted.add(`${fact.life} ${fact.request.id}`);
      if (fact.kind === 'answered' && fact.answer.status === 'rejected') {
        const { life, request, answer } = fact;
        if (answer.rejection.code === 'request_conflict') return undefined;
        return remembered(life, request.id, all);
      }
      if (fact.kind === 'told' && fact.message.kind === 'ended' && fact.message.outcome.rejection) {
        const name = `${fact.by.life} ${fact.message.engagement}`;
        if (ofOthers.has(name)) rejected.add(name);
        return remembered(fact.by.life, fact.message.engagement, all);
      }
      return undefined;
    },
  };

  function remembered(life: string, id: RaiseRequest['id'], all: Parameters<Invariant['hear']>[1]): string | undefined {
    const found = all.entities().find(({ subject }) => subject.life === life);
    if (!found || accepted.has(`${life} ${id}`)) return undefined;
    const { subject, snapshot } = found;
    const waits = snapshot.waiting.some((request) => request.id === id);
    const asRejected = snapshot.ledger.recent.some((entry) => entry.id === id && entry.outcome?.rejection);
    if (waits || asRejected || !isKnown(snapshot.ledger, id)) return undefined;
    return `${subject.id} has rejected the request ${id}, and remembers it as accepted`;
  }
}
