import { abortsIn } from '../../definition/busy.js';
import { asList } from '../../definition/names.js';
import { checkAgainst } from '../../protocol/carried.js';
import type { Invariant } from '../fact.js';
import { unmetGuards } from './unmet-guards.js';

/** S3.2: an event that is declared to abort the running action waits for none. */
export function abortAtOnce(): Invariant {
  /** Events that came before the action that runs now, by the life of the entity. */
  const earlier = new Map<string, ReadonlySet<string>>();
  return {
    name: 'an event that aborts waits for no action',
    hear(fact, all) {
      if (fact.kind === 'started') earlier.set(fact.by.life, new Set(fact.snapshot.waiting.map(({ id }) => id)));
      if (fact.kind !== 'answered' || fact.answer.status !== 'waiting') return undefined;
      const { request, life } = fact;
      const { subject, snapshot } = all.entities().find((each) => each.subject.life === life) ?? {};
      const event = subject?.entity.events[request.event];
      if (!snapshot?.running || snapshot.running.aborted || snapshot.reservation || !event) return undefined;
      if (!abortsIn(subject!.entity, request.event, snapshot.state)) return undefined;
      if (earlier.get(life)?.has(request.id)) return undefined;
      // One that brings what it may not bring is not valid, and is rejected when its turn comes.
      if (event.params && !checkAgainst(event.params, request.params ?? {}).valid) return undefined;
      if (unmetGuards(subject!.entity, snapshot, request.event, request.params).length > 0) return undefined;
      // One that has come to an address waits until the action has ended well that has made it. A2
      if (snapshot.addresses?.some(({ id, open }) => id === request.id && !open)) return undefined;
      const waits = snapshot.waiting.some(({ id }) => id === request.id);
      if (!waits || !asList(event.in).includes(snapshot.state)) return undefined;
      return `'${request.event}' waits on ${subject!.id} for '${snapshot.running.action}', which it aborts`;
    },
  };
}
