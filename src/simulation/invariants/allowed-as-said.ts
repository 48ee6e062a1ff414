import { allowedEvents } from '../../kernel/index.js';
import type { Answer } from '../../protocol/answer.js';
import type { Fact, Invariant } from '../fact.js';
import { unmetGuards } from './unmet-guards.js';

/** Rejections that depend on more than the state: on what is in the request, or on what was raised before. */
const OF_THE_REQUEST = [
  'event_too_large',
  'malformed',
  'invalid_parameters',
  'request_conflict',
  'try_again',
  'version_conflict',
];

/** S2.2, S2.6: what is told of the events that are allowed is what an event gets. */
export function allowedAsSaid(): Invariant {
  return {
    name: 'an event gets what was said',
    hear(fact) {
      if (fact.kind !== 'decided' || fact.requests.length !== 1) return undefined;
      const { by, before, requests, answers } = fact;
      const request = requests[0]!;
      const answer = answers[0]!;
      // An address that the entity has made takes its event alone.
      if (request.addressedAt !== undefined) return undefined;
      if ((answer.status !== 'rejected' && answer.repeated) || !mayBeCompared(fact, answer)) return undefined;
      const said = allowedEvents(by.entity, before, request.actor).find(({ event }) => event === request.event);
      if (!said) return undefined;
      // The parameters are not known where it is said. S2.2
      const { event, params } = request;
      if (said.allowed && answer.status === 'rejected' && unmetGuards(by.entity, before, event, params).length > 0) {
        return undefined;
      }
      const [got, wanted] = [inWords(answer), saidInWords(said)];
      return got !== wanted
        ? `'${request.event}' on ${by.id} in ${before.state} is ${got}, and was said to be ${wanted}`
        : undefined;
    },
  };
}

/** Tells whether the event was decided in the state in which it came: an action that ran then may have ended before the decision. */
function mayBeCompared({ before, after }: Extract<Fact, { kind: 'decided' }>, answer: Answer): boolean {
  switch (answer.status) {
    case 'rejected':
      return before === after && !OF_THE_REQUEST.includes(answer.rejection.code);
    case 'waiting':
      // Nothing else has changed the entity while the store was asked about this event.
      return (
        before.running !== undefined &&
        before.version === after.version &&
        before.reservers === after.reservers &&
        after.waiting.length === before.waiting.length + 1
      );
    case 'accepted':
      // The event's own action still runs, and no action has ended before it.
      return !before.running && before.version === after.version;
  }
}

function inWords(answer: Answer): string {
  if (answer.status === 'rejected') return `rejected: ${answer.rejection.code}`;
  return answer.status === 'waiting' ? 'left waiting' : 'allowed';
}

function saidInWords(said: ReturnType<typeof allowedEvents>[number]): string {
  if (said.behind !== undefined) return 'left waiting';
  return said.allowed ? 'allowed' : `rejected: ${said.rejection.code}`;
}
