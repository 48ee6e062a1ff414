/*
 * A successor that was ended by other hands than its own, as the keeper tells. S4.4
 *
 * ended-successor.1. The keeper's word is certain, and holds for one life: whoever has answered in that life is lost at once, in
 *     every state. What that life has said before and what comes later is believed no more.
 * ended-successor.2. An event that has no answer yet may have reached a later life of the key: the entity looks, and once is
 *     enough.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { Lost } from '../../protocol/successor-messages.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { lookAfter, lose } from './look.js';
import { releaseOwned } from '../reservations/reservation.js';
import { andThen, type Step } from '../rules/step.js';

/** The keeper tells that a life of another entity has ended: a successor, or who has reserved this one. */
export function receiveLost(entity: AnyEntity, snapshot: Snapshot, { toLife, from }: Lost, now: number): Step {
  if (toLife !== snapshot.life) return { snapshot, effects: [] };
  return andThen(loseEnded(entity, snapshot, from, now), (after) => releaseOwned(entity, after, from, now));
}

function loseEnded(entity: AnyEntity, snapshot: Snapshot, ended: LivingRef, now: number): Step {
  const known = snapshot.successors.find((each) => entityId(each) === entityId(ended));
  // What was rejected or deleted has said its last word.
  if (!known || known.ended === ended.life || known.event === 'rejected' || known.outcome?.closed) {
    return { snapshot, effects: [] };
  }
  const unanswered = known.event === 'pending';
  if (known.life !== ended.life && !(unanswered && known.life === undefined)) return { snapshot, effects: [] };
  const marked: Successor = { ...known, ended: ended.life, ...(unanswered && { missed: true }) };
  const successors = snapshot.successors.map((each) => (each === known ? marked : each));
  const after = { ...snapshot, successors };
  if (unanswered) return { snapshot: after, effects: [lookAfter(entity, after, marked)] };
  return marked.outcome?.lost ? { snapshot: after, effects: [] } : lose(entity, after, marked, now);
}

/**
 * Whom the keeper tells that an entity was ended: those who watch it or have raised an event that it had yet to admit, and
 * those whom it had reserved.
 */
export function toBeTold({ watchers, waiting, holds, running }: Snapshot): readonly LivingRef[] {
  const raisers = waiting.flatMap(({ from }) => (from ? [from] : []));
  const reserved = [...holds, ...(running?.holds ?? [])].map(({ on }) => on);
  const all = [...watchers, ...raisers, ...reserved].map(({ type, key, life }): LivingRef => ({ type, key, life }));
  return [...new Map(all.map((each) => [`${entityId(each)} ${each.life}`, each])).values()];
}
